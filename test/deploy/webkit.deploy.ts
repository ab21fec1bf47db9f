import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'tap'
import { started } from '../helper.ts'
import { without } from './machines.ts'
import { openWebKit } from './webkit.ts'

const skip = without('webkit', 'xvfb')
const controlV = '\uE009v\uE000' // in WebDriver's code of keys

test('WebKit copies commands and rules; its example app says that there was no response in time, and half an image is an error', { skip }, async t => {
  const server = await started(t, { simulate: true, rateLimit: false, logLevel: 'silent' })
  const { open, run, click, type } = await openWebKit(t)
  server.simulate({ path: '/api/v1/bikes/', code: 503 })
  for (const [path, button, copied] of [
    ['/', 'button.copy', server.url],
    ['/__simulate', '[data-test]', 'server.simulate({ "path": "/api/v1/bikes/", "code": 503 })'],
    ['/__simulate', '[data-curl]', `curl -H 'Content-Type: application/json' -d '{ "path": "/api/v1/bikes/", "code": 503 }' '${server.url}/__simulate'`]
  ] as const) {
    await open(server.url + path)
    await run("document.documentElement.style.scrollBehavior = 'auto'") // WebDriver does not wait for smooth scrolling
    await click(button)
    await run("return new Promise(resolve => setInterval(() => { if (/copied/i.test(document.querySelector('main').textContent)) resolve() }, 50))")
    await run("document.body.prepend(document.createElement('textarea'))")
    await type('textarea', controlV)
    t.equal(await run("return document.querySelector('textarea').value"), copied, button)
  }

  server.simulate({ path: '/api/v1/bikes/', delay: 30_000 })
  await open(`${pathToFileURL(resolve('examples/app/index.html'))}?server=${server.url}`)
  const status = "document.querySelector('[role=status]').textContent"
  const text = await run(`return new Promise(resolve => setInterval(() => { if (!/Loading/.test(${status})) resolve(${status}) }, 50))`)
  t.equal(text, 'There was no response within 5 seconds.')
  server.simulate({ path: '/media/*', fault: 'truncate', times: 1 })
  const image = `new Promise(resolve => {
    Object.assign(new Image(), { onload: () => resolve('load'), onerror: () => resolve('error'), src: '${server.url}/media/saddles/1.jpg' })
  })`
  t.same([await run(`return ${image}`), await run(`return ${image}`)], ['error', 'load'])
})
