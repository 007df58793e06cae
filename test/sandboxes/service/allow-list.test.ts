// Tests the IP allow list: entries, ranges, both address families, and its place before other checks.

import { describe, expect, test } from 'vitest'
import { allowList } from '#sandboxes/service/allow-list.ts'
import { openSandboxCore } from '#sandboxes/service/open-sandbox-core.ts'
import { SandboxSettingsError } from '#sandboxes/service/settings.ts'
import { steppedClock } from '#test/support/clock.ts'
import { paths, visitSandbox } from './visitor.ts'

const entries = ['192.0.2.7', '198.51.100.0/24', '2001:db8:1::/48', '2001:db8:2::5']

describe('an allow list', () => {
  test.each([
    ['192.0.2.7', true],
    ['192.0.2.8', false],
    ['198.51.100.255', true],
    ['198.51.101.0', false],
    ['::ffff:198.51.100.3', true],
    ['2001:db8:1:ffff::1', true],
    ['2001:db8:2::5', true],
    ['2001:db8:2::6', false],
    ['not an address', false],
  ])('with addresses and ranges decides on %s: %s', (address, allowed) => {
    expect(allowList(entries)(address)).toBe(allowed)
  })

  test('without entries lets every address in', () => {
    expect(allowList([])('203.0.113.1')).toBe(true)
  })

  test.each(['localhost', '192.0.2.0/33', '192.0.2', '2001:db8::/129', '192.0.2.0/', ''])(
    'refuses the entry "%s"',
    (entry) => {
      expect(() => allowList([entry])).toThrow(SandboxSettingsError)
    },
  )
})

describe('access control', () => {
  const call = { method: 'POST', path: paths.token, headers: { 'content-type': 'application/json' } }

  test('answers 401 to an unlisted address, before key, limit and body are checked', async () => {
    const settings = { allowFrom: entries, limits: { general: 60, auth: 1 } }
    const core = openSandboxCore(settings, steppedClock())
    const body = JSON.stringify({ key: core.key, secret: core.secret })
    for (const address of ['203.0.113.1', '127.0.0.1'])
      expect(await core.call({ ...call, body: 'no JSON', address })).toMatchObject({ status: 401 })
    expect(await core.call({ ...call, body, address: '198.51.100.9' })).toMatchObject({ status: 200 })
    expect(core.journal()).toMatchObject({ tokens: 1, throttled: 0 })
  })

  test('checks the address at every endpoint of the API', async () => {
    const core = openSandboxCore({ allowFrom: entries }, steppedClock())
    const list = { ...call, path: paths.list, body: '{}' }
    expect(await core.call(list)).toMatchObject({ status: 401, body: expect.stringContaining('address') })
  })

  test('identifies a caller over HTTP by the address of its connection', async () => {
    expect((await visitSandbox({ allowFrom: ['127.0.0.0/8'] })).sandbox.journal().tokens).toBe(1)
  })
})
