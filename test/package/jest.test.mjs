// Jest with --experimental-vm-modules; scripts/test-package.sh runs it.
import { jest } from '@jest/globals'
import { SettingsError, start } from 'bicycle-catalogue'

test.each([undefined, { doNotFake: ['nextTick', 'queueMicrotask'] }])('close() ends under fake timers', async timers => {
  const server = await start()
  jest.useFakeTimers(timers)
  await server.close()
  jest.useRealTimers()
})

test('a server in the process of a test', async () => {
  const server = await start({ simulate: true })
  server.simulate({ path: '/api/v1/bikes/', code: 503, times: 1 })
  expect((await fetch(`${server.url}/api/v1/bikes/`)).status).toBe(503)
  expect(await (await fetch(`${server.url}/docs/`)).text()).toContain('<html')
  await expect(start({ ports: 0 })).rejects.toThrow(SettingsError)
  await server.close()
})
