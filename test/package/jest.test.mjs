// Jest with --experimental-vm-modules; scripts/test-package.sh runs it.
import { SettingsError, start } from 'bicycle-catalogue'

test('a server in the process of a test', async () => {
  const server = await start({ simulate: true })
  server.simulate({ path: '/api/v1/bikes/', code: 503, times: 1 })
  expect((await fetch(`${server.url}/api/v1/bikes/`)).status).toBe(503)
  expect(await (await fetch(`${server.url}/docs/`)).text()).toContain('<html')
  await expect(start({ ports: 0 })).rejects.toThrow(SettingsError)
  await server.close()
})
