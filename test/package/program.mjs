// Uses all that the installed package exports and serves; scripts/test-package.sh runs it under each package manager.
import assert from 'node:assert/strict'
import { start } from 'bicycle-catalogue'
import bikes from 'bicycle-catalogue/data/v1/bikes.json' with { type: 'json' }
import openapi from 'bicycle-catalogue/openapi.json' with { type: 'json' }
import about from 'bicycle-catalogue/package.json' with { type: 'json' }
import { Bike } from 'bicycle-catalogue/schemas'

const server = await start({ simulate: true, metricsPort: 0 })
const pages = ['/', '/docs/', '/changelog/', '/versioning/', '/tokens/', '/api/v1/bikes/?format=api', '/openapi.json', '/openapi.yaml', '/media/saddles/1.jpg', '/favicon.ico', '/__simulate']
for (const url of [...pages.map(path => server.url + path), server.metricsUrl]) {
  const { status, headers } = await fetch(url, { headers: { Accept: '*/*' } })
  assert.equal(status, 200, url)
  assert.ok(headers.get('content-type'), url)
}
const served = await (await fetch(`${server.url}/api/v1/bikes/`)).json()
assert.deepEqual(Object.keys(served[0]), Object.keys(Bike.properties))
assert.equal(served.length, bikes.bikes.length)
assert.ok(openapi.paths['/api/v1/bikes/'])
assert.match(about.version, /^\d+\.\d+\.\d+$/)
await server.close()
