// What is kept of an invalid row: only what a corrected row would have as well.

import { describe, expect, test } from 'vitest'
import { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { tracesOfRow } from '#src/domain/credential/row-traces.ts'

const hasher = new Hasher(Buffer.alloc(32, 7))
const comparison = { identity: ['Number'], occurrence: ['End'], nameFields: ['First', 'Last'] }
const values = { Email: 'Ada@example.org', First: 'Ada', Last: 'King', Number: 'R1', End: '2025' }
const cells = Object.values(values)

const hex = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex')).toSorted()
const identifiers = (...texts: string[]) => hex(texts.map((text) => hasher.identifier(text)))
function traces(invalid: string[] = [], more: Partial<Parameters<typeof tracesOfRow>[1]> = {}) {
  return tracesOfRow(
    cells,
    { read: { values, invalidFields: new Set(invalid) }, comparison, isConfigured: true, ...more },
    hasher,
  )
}

describe('a row that its pipeline reads', () => {
  test('has the hashes that a valid row would have', () => {
    const { identifiers: found, ...rest } = traces()
    expect(hex(found)).toEqual(identifiers('ada@example.org', 'R1'))
    expect(rest).toEqual({
      name: hasher.name('ada|king'),
      identityFields: ['Number'],
      identity: hasher.identity({ Number: 'R1' }),
      occurrenceFields: ['End'],
      occurrence: hasher.occurrence({ End: '2025' }),
      whole: hasher.row(cells),
    })
  })

  test.each([
    ['Last', { name: null }],
    ['Number', { identity: null }],
    ['End', { occurrence: null, occurrenceFields: null }],
  ])('keeps nothing that an invalid %s would make differ later', (field, unknown) => {
    const { identifiers: all, ...before } = traces()
    const { identifiers: found, ...now } = traces([field])
    expect(now).toEqual({ ...before, ...unknown })
    // A later list may repeat the wrong value.
    expect(hex(found)).toEqual(hex(all))
  })

  test('knows no occasion if the field is empty', () => {
    const read = { values: { ...values, End: '' }, invalidFields: new Set<string>() }
    expect(traces([], { read })).toMatchObject({ occurrence: null, occurrenceFields: null })
    expect(traces([], { comparison: { ...comparison, occurrence: [] } }).occurrenceFields).toEqual([])
  })

  test('of a learner who is named by an address has that, too', () => {
    expect(hex(traces([], { learner: 'Ada@home.example.org' }).identifiers)).toEqual(
      identifiers('ada@example.org', 'ada@home.example.org', 'R1'),
    )
    expect(hex(traces([], { learner: '77' }).identifiers)).toEqual(identifiers('ada@example.org', 'R1'))
  })
})

test('a row that nothing reads any more has its addresses and long numbers', () => {
  const loose = ['King', 'ada@example.org', '(0171) 234 56 78', '2025-01-31', '12345']
  const found = tracesOfRow(loose, { read: null, comparison, isConfigured: true }, hasher)
  expect(hex(found.identifiers)).toEqual(identifiers('ada@example.org', '1712345678'))
  expect(found).toMatchObject({
    name: null,
    identity: null,
    identityFields: ['Number'],
    occurrence: null,
    occurrenceFields: null,
  })
})

test('a row of a pipeline that is no longer configured has its contacts and its name', () => {
  const found = traces([], { isConfigured: false, comparison: { ...comparison, identity: [], occurrence: [] } })
  expect(hex(found.identifiers)).toEqual(identifiers('ada@example.org'))
  expect(found).toMatchObject({ name: hasher.name('ada|king'), identity: null, occurrenceFields: null })
})

test('a copy has the same whole, and no other row has', () => {
  const whole = (row: string[]) =>
    tracesOfRow(row, { read: null, comparison, isConfigured: true }, hasher).whole.toString('hex')
  expect(whole([' Ada ', 'King'])).toBe(whole(['Ada', 'King']))
  expect(whole(['AdaKing', ''])).not.toBe(whole(['Ada', 'King']))
})
