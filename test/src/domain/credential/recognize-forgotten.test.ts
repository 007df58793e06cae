// Who counts as the person who was forgotten: an identifier alone never does.

import { describe, expect, test } from 'vitest'
import { tracesOf } from '#src/domain/credential/erased-person.ts'
import { Hasher } from '#src/domain/credential/identity-hasher.ts'
import {
  type ForgottenRecord,
  recognizeForgotten,
  recognizeInInvalidRow,
} from '#src/domain/credential/recognize-forgotten.ts'

const hasher = new Hasher(Buffer.alloc(32, 7))
type Record = Readonly<{ [field: string]: string }>
interface Rule {
  identity?: string[]
  occurrence?: string[]
  nameFields?: string[]
}

const ada: Record = { Email: 'ada@example.org', First: 'Ada', Last: 'King', Number: 'R1', End: '2025' }
const comparisonOf = ({ identity = [], occurrence = [], nameFields = ['First', 'Last'] }: Rule) => ({
  ...{ identity, occurrence, nameFields },
})
const identityHash = (record: Record, fields: string[]) =>
  hasher.identity(Object.fromEntries(fields.map((field) => [field, record[field] ?? ''])))

function forgotten(record: Record, rule: Rule, kind: 'request' | 'retention' = 'request'): ForgottenRecord {
  const { name, occurrence } = tracesOf(record, comparisonOf(rule), hasher)
  const { identity = [], occurrence: occurrenceFields = [] } = rule
  const fields = identity.length > 0 ? identity : ['Email']
  return {
    ...{ issuance: 1, kind, occurrence, occurrenceFields, identityFields: identity },
    ...{ identityHash: identityHash(record, fields), names: name ? [name] : [] },
  }
}

function recognize(
  record: Record,
  rule: Rule,
  matches: ForgottenRecord[],
  more: { keyOf?: number; isRenewal?: boolean } = {},
) {
  const comparison = comparisonOf(rule)
  const { identity, occurrence } = comparison
  const row = {
    traces: tracesOf(record, comparison, hasher),
    ...{ identityFields: identity, occurrenceFields: occurrence },
    identityHash: identityHash(record, identity.length > 0 ? identity : ['Email']),
    hasNameFields: comparison.nameFields.length > 0,
    ...{ keyOf: null, isRenewal: false, ...more },
  }
  return recognizeForgotten(row, matches).kind
}

const bea = { ...ada, First: 'Bea' }
const withoutName = { ...ada, First: '', Last: '' }
const byNumber = { identity: ['Number'] }
const yearly = { occurrence: ['End'] }
const byTerm = { occurrence: ['Term'] }
const inTerm: Record = { ...ada, Term: 'spring' }

describe('a valid row with the key of a forgotten issuance', () => {
  test.each<[what: string, row: Record, kept: Record, kind: 'request' | 'retention', recognized: string]>([
    ['and its name is that person', ada, ada, 'request', 'forgotten'],
    ['in another spelling is that person', { ...ada, Last: ' KING' }, ada, 'request', 'forgotten'],
    ['and another name may be somebody else', bea, ada, 'request', 'unclear'],
    ['and no name is that person', withoutName, ada, 'request', 'forgotten'],
    ['that had no name is that person', ada, withoutName, 'request', 'forgotten'],
    ['whose retention ended is skipped by its key', ada, ada, 'retention', 'other'],
    ['whose retention ended, and another name, may be somebody else', bea, ada, 'retention', 'unclear'],
  ])('%s', (_, row, kept, kind, recognized) => {
    expect(recognize(row, {}, [forgotten(kept, {}, kind)], { keyOf: 1 })).toBe(recognized)
  })

  test('and the name that it had before a correction is that person', () => {
    const corrected = forgotten(bea, {})
    const both = { ...corrected, names: [...corrected.names, ...forgotten(ada, {}).names] }
    expect(recognize(ada, {}, [both], { keyOf: 1 })).toBe('forgotten')
  })
})

describe('a valid row with an address of a forgotten person, under another key', () => {
  test.each<[what: string, row: Record, rule: Rule, kept: Record, keptRule: Rule, recognized: string]>([
    ['and the same name is that person', ada, byNumber, ada, {}, 'forgotten'],
    ['and another name is somebody else', bea, byNumber, ada, {}, 'other'],
    ['and no name may be that person', withoutName, byNumber, ada, {}, 'unclear'],
    ['may be a person who had no name', ada, byNumber, withoutName, {}, 'unclear'],
    ['of a course without names may be that person', ada, { nameFields: [] }, ada, { nameFields: [] }, 'unclear'],
    ['and another number by the same rule is a child', { ...ada, Number: 'R2' }, byNumber, ada, byNumber, 'other'],
    [
      'by another rule is that person',
      { ...ada, Number: 'R2' },
      { identity: ['Number', 'Email'] },
      ada,
      byNumber,
      'forgotten',
    ],
    ['on another occasion is another credential', { ...ada, End: '2026' }, yearly, ada, yearly, 'other'],
    ['on the same occasion is that person', { ...ada, Number: 'R2' }, yearly, ada, yearly, 'forgotten'],
    ['may be the same occasion if that was not kept', ada, { ...byNumber, ...yearly }, ada, {}, 'unclear'],
    ['may be the same occasion by other fields', inTerm, { ...byNumber, ...byTerm }, ada, yearly, 'unclear'],
    ['and another name, by other fields, is somebody else', { ...bea, Term: '1' }, byTerm, ada, byNumber, 'other'],
    ['and the same identity may be that person in another spelling', { ...bea, Term: '1' }, byTerm, ada, {}, 'unclear'],
    [
      'and the same identity on another occasion is another credential',
      { ...bea, End: '2026' },
      yearly,
      ada,
      yearly,
      'other',
    ],
  ])('%s', (_, row, rule, kept, keptRule, recognized) => {
    expect(recognize(row, rule, [forgotten(kept, keptRule)])).toBe(recognized)
  })

  test.each<[what: string, row: Record, rule: Rule, keptRule: Rule, recognized: string]>([
    ['may be the same occasion if they differ', { ...ada, End: '2026' }, { ...byNumber, ...yearly }, yearly, 'unclear'],
    ['is that person if nothing differs', ada, { ...byNumber, ...yearly }, yearly, 'forgotten'],
    ['is that person if there were none, and are none', ada, byNumber, {}, 'forgotten'],
  ])('of whom it is not known what told occasions apart: %s', (_, row, rule, keptRule, recognized) => {
    expect(recognize(row, rule, [{ ...forgotten(ada, keptRule), occurrenceFields: null }])).toBe(recognized)
  })

  test('is known if the retention ended', () => {
    expect(recognize(ada, byNumber, [forgotten(ada, {}, 'retention')])).toBe('known')
  })
  test('is a second credential if it renews the first', () => {
    expect(recognize(ada, byNumber, [forgotten(ada, {})], { isRenewal: true })).toBe('other')
  })
  test('is the one that certainly agrees, beside others', () => {
    const matches = [forgotten(withoutName, {}), { ...forgotten(ada, {}), issuance: 2 }]
    expect(recognize(ada, byNumber, matches)).toBe('forgotten')
  })
})

describe('an invalid row', () => {
  const recognizeNames = (names: string[], kept: ForgottenRecord, rule: Rule = {}, hash: Buffer | null = null) => {
    const { identity, nameFields } = comparisonOf(rule)
    const row = { names, identityFields: identity, identityHash: hash, hasNameFields: nameFields.length > 0 }
    return recognizeInInvalidRow(row, [kept], hasher)?.issuance ?? null
  }
  const names = ['King', 'Ada']

  test('with the address and the name is that person', () => {
    expect(recognizeNames(names, forgotten(ada, {}))).toBe(1)
  })
  test('with the address only is left alone', () => {
    expect(recognizeNames(['King', 'Bea'], forgotten(ada, {}))).toBeNull()
  })
  test('of a course without names is that person by the address', () => {
    expect(recognizeNames([], forgotten(ada, {}), { nameFields: [] })).toBe(1)
  })
  test('is left alone if the retention ended', () => {
    expect(recognizeNames(names, forgotten(ada, {}, 'retention'))).toBeNull()
  })
  test('of a child with the same name is left alone', () => {
    const hash = identityHash({ Number: 'R2' }, ['Number'])
    expect(recognizeNames(names, forgotten(ada, byNumber), byNumber, hash)).toBeNull()
    expect(recognizeNames(names, forgotten(ada, byNumber), byNumber, identityHash(ada, ['Number']))).toBe(1)
  })
})
