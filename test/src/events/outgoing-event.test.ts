// The events that we send: their shape, which the page docs/events.md promises, and what must not be in them.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type OutgoingEvent, outgoingEvent, outgoingMembers } from '#src/events/outgoing-event.ts'

const some = {
  at: new Date('2026-11-21T12:00:00Z'),
  environment: 'development' as const,
  pipeline: 'spring',
  issuance: '0c5f',
}
const all = {
  ...some,
  learner: { id: '3' },
  course: 'CRS-FIRE-101',
  completedAt: new Date('2026-11-20T12:00:00Z'),
}
const reason = { code: 'refused', sentence: 'The service refused the row.' }
const full: OutgoingEvent[] = [
  outgoingEvent('issued', { ...all, credentialId: 'c-1', link: 'https://c.example/1' }),
  outgoingEvent('rejected', { ...all, reason }),
  outgoingEvent('failed', { ...all, reason }),
  outgoingEvent('held', { ...all, reason }),
  outgoingEvent('revoked', { ...all, credentialId: 'c-1' }),
]
const bare: OutgoingEvent[] = [
  outgoingEvent('issued', { ...some, credentialId: 'c-1' }),
  outgoingEvent('rejected', { ...some, reason }),
  outgoingEvent('failed', { ...some, reason }),
  outgoingEvent('held', { ...some, reason }),
  outgoingEvent('revoked', { ...some, credentialId: 'c-1' }),
]
const kinds = ['issued', 'rejected', 'failed', 'held', 'revoked'] as const

describe('an outgoing event', () => {
  test('looks like this when it is written', () => {
    expect(JSON.parse(JSON.stringify(full[0]))).toEqual({
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

  test.each(kinds.map((kind, index) => [kind, full[index], bare[index]]))(
    '%s has the members of the table, all of them or those it must have',
    (kind, whole, least) => {
      const listed = outgoingMembers.filter((each) => each.in.includes(kind as (typeof kinds)[number]))
      expect(membersOf(whole).sort()).toEqual(listed.map((each) => each.member).sort())
      expect(membersOf(least).sort()).toEqual(
        listed
          .filter((each) => each.always)
          .map((each) => each.member)
          .sort(),
      )
    },
  )

  test('carries ids only, whatever else is known of a learner', () => {
    const learner = { id: '3', email: 'planted@example.org', name: 'Planted' }
    expect(JSON.stringify(outgoingEvent('held', { ...all, learner, reason }))).not.toMatch(/planted/i)
  })

  test('is told of in docs/events.md as it is', () => {
    const page = readFileSync(new URL('../../../docs/events.md', import.meta.url), 'utf8')
    const rows = outgoingMembers.map(
      ({ member, holds, in: of, always }) =>
        `| \`${member}\` | ${of.length === kinds.length ? 'all' : of.join(', ')} | ${always ? 'always' : 'where known'} | ${holds} |`,
    )
    expect(rows.filter((row) => !page.includes(row))).toEqual([])
  })
})

/** Paths of what stands in the JSON, such as data.learner.id. */
function membersOf(event: unknown): string[] {
  const walk = (value: unknown, path: string): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => walk(inner, path ? `${path}.${name}` : name))
      : [path]
  return walk(JSON.parse(JSON.stringify(event)), '')
}
