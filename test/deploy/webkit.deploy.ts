import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'tap'
import { started } from '../helper.ts'
import { without } from './machines.ts'
import { openWebKit } from './webkit.ts'

const skip = without('webkit', 'xvfb')
const controlV = '\uE009v\uE000' // in WebDriver's codes of keys

/** Returns the body of a function whose promise resolves once a condition holds. */
const until = (condition: string, value = '') =>
  `return new Promise(resolve => setInterval(() => { if (${condition}) resolve(${value}) }, 50))`

test('WebKit copies commands and rules, and reports a timeout and half an image', { skip }, async t => {
  const server = await started(t, { simulate: true, logLevel: 'silent' })
  const { open, run, click, type } = await openWebKit(t)
  server.simulate({ path: '/api/v1/bikes/', code: 503 })
  const rule = '{ "path": "/api/v1/bikes/", "code": 503 }'
  for (const [path, button, copied] of [
    ['/', 'button.copy', server.url],
    ['/__simulate', '[data-test]', `server.simulate(${rule})`],
    ['/__simulate', '[data-curl]',
      `curl -H 'Content-Type: application/json' -d '${rule}' '${server.url}/__simulate'`]
  ] as const) {
    await open(server.url + path)
    await run("document.documentElement.style.scrollBehavior = 'auto'") // WebDriver does not wait for smooth scrolling
    await click(button)
    await run(until("/copied/i.test(document.querySelector('main').textContent)"))
    await run("document.body.prepend(document.createElement('textarea'))")
    await type('textarea', controlV)
    t.equal(await run("return document.querySelector('textarea').value"), copied, button)
  }

  server.simulate({ path: '/api/v1/bikes/', delay: 30_000 })
  await open(`${pathToFileURL(resolve('examples/app/index.html'))}?server=${server.url}`)
  const status = "document.querySelector('[role=status]').textContent"
  const text = await run(until(`!/Loading/.test(${status})`, status))
  t.equal(text, 'There was no response within 5 seconds.')
  server.simulate({ path: '/media/*', fault: 'truncate', times: 1 })
  const image = `new Promise(resolve => {
    const src = '${server.url}/media/saddles/1.jpg'
    Object.assign(new Image(), { onload: () => resolve('load'), onerror: () => resolve('error'), src })
  })`
  t.same([await run(`return ${image}`), await run(`return ${image}`)], ['error', 'load'])
})
