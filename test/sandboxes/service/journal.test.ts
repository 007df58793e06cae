// Tests the entries of the journal: what really happened, which the responses do not show.

import { describe, expect, test } from 'vitest'
import { people, visitCore } from './core-visitor.ts'
import { paths } from './visitor.ts'

const invite = `POST ${paths.invite}`
const noon = Date.parse('2026-03-01T12:00:00Z')

describe('the journal', () => {
  test('shows arrival, commit and answer of an invitation, with the new ids', async () => {
    const visitor = await visitCore()
    await visitor.clock.advance(250)
    await visitor.invite('a@example.org', 'b@example.org')
    const requests = visitor.core.requests().map(({ entityUuid }) => entityUuid)
    expect(visitor.core.entries().slice(2)).toEqual([
      { at: noon + 250, kind: 'arrived', call: 2, endpoint: invite },
      { at: noon + 250, kind: 'committed', call: 2, endpoint: invite, recipients: 2, requests },
      { at: noon + 250, kind: 'answered', call: 2, endpoint: invite, status: 200, spoil: null },
    ])
  })

  test('has no commit for a refused call, and its true status', async () => {
    const { core, post, use } = await visitCore()
    await post(paths.invite, {})
    use('made-up')
    await post(paths.list, {})
    expect(core.entries().slice(2)).toMatchObject([
      { kind: 'arrived', call: 2 },
      { kind: 'answered', call: 2, status: 400 },
      { kind: 'arrived', call: 3 },
      { kind: 'answered', call: 3, status: 401 },
    ])
  })

  test('shows a commit whose answer was lost', async () => {
    const { core, invite } = await visitCore({ faults: { lost: { after: 1 } } })
    expect(await invite('a@example.org')).toBe(0)
    expect(core.entries().slice(2)).toMatchObject([
      { kind: 'arrived' },
      { kind: 'committed', recipients: 1 },
      { kind: 'answered', status: null, spoil: 'lost, all done' },
    ])
  })

  test('keeps the fixed texts of the requests, and nothing of the recipients', async () => {
    const { core, invite } = await visitCore()
    await invite(...people(500))
    expect(JSON.stringify(core.entries())).not.toMatch(/example\.org|Lovelace/)
    expect(core.entries().filter(({ kind }) => kind === 'committed')).toHaveLength(1)
  })
})
