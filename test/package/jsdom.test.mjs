/** @jest-environment jsdom */
// Jest and Vitest run it in jsdom; scripts/test-package.sh starts them.
import { readFileSync } from 'node:fs'
import { start } from 'bicycle-catalogue'

test('a server runs in the environment of a test of components', async () => {
  expect(document.body).not.toBeNull()
  const server = await start({ simulate: true })
  try {
    const { rawPayload } = await server.app.inject('/media/saddles/1.jpg')
    expect(rawPayload.equals(readFileSync('node_modules/bicycle-catalogue/data/media/saddles/1.jpg'))).toBe(true)
    server.simulate({ path: '/api/v1/bikes/', code: 503, times: 1 })
    const status = await new Promise(resolve => {
      const request = new XMLHttpRequest()
      request.onloadend = () => resolve(request.status)
      request.open('GET', `${server.url}/api/v1/bikes/`)
      request.send()
    })
    expect(status).toBe(503)
  } finally {
    await server.close()
  }
})
