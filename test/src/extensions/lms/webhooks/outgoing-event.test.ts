// Outgoing events: the format that docs/events.md specifies, and the data that they must not contain.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type OutgoingEvent, outgoingEvent, outgoingMembers } from '#src/extensions/lms/webhooks/outgoing-event.ts'

const requiredFacts = {
  at: new Date('2026-11-21T12:00:00Z'),
  environment: 'development' as const,
  pipeline: 'spring',
  issuance: '0c5f',
}
const allFacts = {
  ...requiredFacts,
  learner: { id: '3' },
  course: 'CRS-FIRE-101',
  completedAt: new Date('2026-11-20T12:00:00Z'),
}
const reason = { code: 'refused', sentence: 'The service refused the row.' }
const fullEvents: OutgoingEvent[] = [
  outgoingEvent('issued', { ...allFacts, credentialId: 'c-1', link: 'https://c.example/1' }),
  outgoingEvent('rejected', { ...allFacts, reason }),
  outgoingEvent('failed', { ...allFacts, reason }),
  outgoingEvent('held', { ...allFacts, reason }),
  outgoingEvent('revoked', { ...allFacts, credentialId: 'c-1' }),
]
const minimalEvents: OutgoingEvent[] = [
  outgoingEvent('issued', { ...requiredFacts, credentialId: 'c-1' }),
  outgoingEvent('rejected', { ...requiredFacts, reason }),
  outgoingEvent('failed', { ...requiredFacts, reason }),
  outgoingEvent('held', { ...requiredFacts, reason }),
  outgoingEvent('revoked', { ...requiredFacts, credentialId: 'c-1' }),
]
const kinds = ['issued', 'rejected', 'failed', 'held', 'revoked'] as const

describe('an outgoing event', () => {
  test('has this format', () => {
    expect(JSON.parse(JSON.stringify(fullEvents[0]))).toEqual({
      type: 'credential.issued',
      timestamp: '2026-11-21T12:00:00.000Z',
      data: {
        environment: 'development',
        pipeline: 'spring',
        issuance: '0c5f',
        learner: { id: '3' },
        course: 'CRS-FIRE-101',
        completedAt: '2026-11-20T12:00:00.000Z',
        credentialId: 'c-1',
        link: 'https://c.example/1',
      },
    })
  })

  test.each(kinds.map((kind, index) => [kind, fullEvents[index], minimalEvents[index]]))(
    'for %s has the members of the table: all of them, or the required ones',
    (kind, whole, least) => {
      const listed = outgoingMembers.filter((outgoingMember) =>
        outgoingMember.in.includes(kind as (typeof kinds)[number]),
      )
      expect(membersOf(whole).sort()).toEqual(listed.map((entry) => entry.member).sort())
      expect(membersOf(least).sort()).toEqual(
        listed
          .filter((entry) => entry.always)
          .map((entry) => entry.member)
          .sort(),
      )
    },
  )

  test('contains only ids of a learner, even if more is known', () => {
    const learner = { id: '3', email: 'planted@example.org', name: 'Planted' }
    expect(JSON.stringify(outgoingEvent('held', { ...allFacts, learner, reason }))).not.toMatch(/planted/i)
  })

  test('is described correctly in docs/events.md', () => {
    const page = readFileSync(new URL('../../../../../docs/events.md', import.meta.url), 'utf8')
    const rows = outgoingMembers.map(
      ({ member, holds, in: of, always }) =>
        `| \`${member}\` | ${of.length === kinds.length ? 'all' : of.join(', ')} | ${always ? 'always' : 'where known'} | ${holds} |`,
    )
    expect(rows.filter((row) => !page.includes(row))).toEqual([])
  })
})

/** Paths of the JSON members, such as data.learner.id. */
function membersOf(event: unknown): string[] {
  const walk = (value: unknown, path: string): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => walk(inner, path ? `${path}.${name}` : name))
      : [path]
  return walk(JSON.parse(JSON.stringify(event)), '')
}
