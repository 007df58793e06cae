// The names of a shared limit in Redis: who shares it.

import { expect, test } from 'vitest'
import { slotNames } from '#src/platform/limits/shared-slots.ts'
import { Secret, type ServiceAccount } from '#src/platform/secret.ts'

const account = (more: Partial<Record<'baseUrl' | 'key' | 'secret', string>> = {}): ServiceAccount => ({
  baseUrl: more.baseUrl ?? 'https://service.example/v1',
  key: new Secret(more.key ?? 'key 1'),
  secret: new Secret(more.secret ?? 'secret 1'),
})
const namesOf = (gate: string, more = {}) => slotNames(account(more))(gate)

test('are one hash with two endings, in which nothing of the account can be read', () => {
  const [log, state] = namesOf('invite')
  expect(log).toMatch(/^credsync-slots-\{[\w-]{32}\}-log$/)
  expect(state).toBe(log.replace(/log$/, 'state'))
  expect(log).not.toMatch(/service|key|secret 1|invite/)
})

test.each<[string, object, { invite: boolean; auth: boolean }]>([
  ['the same account', {}, { invite: true, auth: true }],
  ['another path of the address', { baseUrl: 'https://service.example/v2' }, { invite: true, auth: true }],
  ['another address', { baseUrl: 'https://other.example/v1' }, { invite: false, auth: false }],
  ['another key', { key: 'key 2' }, { invite: false, auth: true }],
  ['another secret', { secret: 'secret 2' }, { invite: false, auth: false }],
])('%s shares the limits of an endpoint and of the tokens as expected', (_, more, shared) => {
  const shares = (gate: string) => namesOf(gate, more).join() === namesOf(gate).join()
  expect({ invite: shares('invite'), auth: shares('auth') }).toEqual(shared)
})

test('endpoints have limits of their own', () => {
  const names = ['invite', 'report', 'auth'].flatMap((gate) => namesOf(gate))
  expect(new Set(names).size).toBe(6)
})
