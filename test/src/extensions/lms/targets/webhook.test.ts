// Outgoing events: the format that docs/events.md specifies, and what becomes of one that was not accepted.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { outgoingEvent, webhook } from '#src/extensions/lms/targets/webhook.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'

const due = {
  ...{ id: 1, issuanceId: 42, tries: 0, refused: false, pipeline: 'spring', since: new Date('2026-11-21T12:00:00Z') },
  ...{ credentialId: 'c-1', verifierLink: 'https://c.example/1', issueDate: '2026-11-21', validTill: null },
  completion: {
    ...{ system: 'campus', learner: '3', course: 'CRS-FIRE-101' },
    completedAt: new Date('2026-11-20T12:00:00Z'),
  },
  reason: 'The service refused the row.',
}
const always = { environment: 'development', pipeline: 'spring', issuance: 'i42' }
const ofLearner = { learner: { id: '3' }, course: 'CRS-FIRE-101', completedAt: '2026-11-20T12:00:00.000Z' }
const reason = { code: 'held', sentence: 'The service refused the row.' }

test.each([
  ['issued', { ...always, ...ofLearner, credentialId: 'c-1', link: 'https://c.example/1' }],
  ['revoked', { ...always, ...ofLearner, credentialId: 'c-1' }],
  ['held', { ...always, ...ofLearner, reason }],
] as const)('an event about a credential that is %s has the members that are known, with ids only', (wanted, data) => {
  const event = JSON.parse(JSON.stringify(outgoingEvent({ ...due, wanted }, 'development')))
  expect(event).toEqual({ type: `credential.${wanted}`, timestamp: '2026-11-21T12:00:00.000Z', data })
  const page = readFileSync(new URL('../../../../../docs/events.md', import.meta.url), 'utf8')
  for (const member of Object.keys(data)) expect(page).toContain(`| \`data.${member}`)
})

test('an event about a row from a file, without a link, has the required members', () => {
  const fromFile = { ...due, wanted: 'issued' as const, completion: null, verifierLink: null }
  const { data } = JSON.parse(JSON.stringify(outgoingEvent(fromFile, 'development')))
  expect(data).toEqual({ ...always, credentialId: 'c-1' })
})

test.each<[number, object]>([
  [204, { kind: 'verified' }],
  [500, { kind: 'away', retryAfterMs: 60_000 }],
  [307, { kind: 'away' }],
  [410, { kind: 'record', isGone: true }],
])('the response %i is decided', async (status, decided) => {
  const answer = { kind: 'answer' as const, status, headers: { 'retry-after': '60' }, text: 'no' }
  const tools = { send: async () => answer, clock, environment: 'development' as const }
  const settings = {
    ...{ to: 'webhook' as const, url: 'https://receiver.example/in' },
    secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
  }
  const learning = { client: () => expect.fail('no system is needed') }
  const result = await webhook.deliver({ ...tools, learning }, settings, { ...due, wanted: 'issued' })
  expect(result).toMatchObject(decided)
})
