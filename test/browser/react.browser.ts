import { once } from 'node:events'
import { createServer } from 'node:http'
import { buildSync } from 'esbuild'
import { test, type Test } from 'tap'
import { freePort } from '../../tools/process.ts'
import { visit } from './browser.ts'

const path = '/api/v1/saddles/'

/** A component that loads a list as React's documentation shows, and tries again as the response says. */
const app = `
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

const { address, aborts } = Object.fromEntries(new URLSearchParams(location.search))
window.loads = []

async function load (signal) {
  const response = await fetch(address, { signal })
  if (response.status !== 503) return await response.json()
  await new Promise(resolve => setTimeout(resolve, 1000 * response.headers.get('retry-after')))
  return await load(signal)
}

function Saddles () {
  const [saddles, setSaddles] = useState([])
  useEffect(() => {
    const controller = new AbortController()
    let isCurrent = true
    const shown = load(aborts === 'true' ? controller.signal : undefined).then(saddles => {
      if (isCurrent) setSaddles(saddles)
    })
    window.loads.push(shown.then(() => 'loaded', ({ name }) => name))
    return () => {
      isCurrent = false
      controller.abort()
    }
  }, [])
  return <ul>{saddles.map(({ id, brand }) => <li key={id}>{brand}</li>)}</ul>
}

createRoot(document.body).render(<StrictMode><Saddles /></StrictMode>)`

const { outputFiles: [bundle] } = buildSync({
  stdin: { contents: app, resolveDir: 'tools', loader: 'jsx' },
  bundle: true,
  write: false,
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"development"' } // in which StrictMode runs effects twice
})

/** Serves the app on a port of its own, as a development server does; returns its URL. */
async function serveApp (t: Test): Promise<string> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/app.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? bundle?.text : '<link rel="icon" href="data:,"><body><script src="/app.js"></script>')
  })
  t.teardown(() => server.close())
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${port}`
}

for (const aborts of [false, true]) {
  for (const times of [1, 2]) {
    const name = `React's StrictMode ${aborts ? 'with' : 'without'} an AbortController, ${times} times 503`
    test(`${name}: shows the list, and is accused of nothing`, async t => {
      const { origin: url, page } = await visit(t, '/', {}, { simulate: true })
      await fetch(`${url}/__simulate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ path, code: 503, times })
      })
      await page.goto(`${await serveApp(t)}/?address=${url}${path}&aborts=${aborts}`)
      await page.getByRole('listitem').nth(13).waitFor()
      t.same(await page.evaluate('Promise.all(loads)'), [aborts ? 'AbortError' : 'loaded', 'loaded'])
      const { requests } = await (await fetch(`${url}/__simulate`)).json() as { requests: { advice: object[] }[] }
      if (!aborts) t.equal(requests.length, 2 + times)
      t.same(requests.flatMap(({ advice }) => advice), [])
    })
  }
}
