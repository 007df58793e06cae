// By what a forgotten person is recognized, and what that means for a row of a later list.

import { describe, expect, test } from 'vitest'
import {
  type ForgottenPerson,
  foldedNameOf,
  identifiersInText,
  identifiersOf,
  type RowToRecognize,
  recognizeForgotten,
  ruleText,
} from '#src/domain/credential/forgotten-person.ts'

const hash = (text: string) => Buffer.from(text)
const ada: ForgottenPerson = { issuance: 1, kind: 'request', name: hash('ada'), rule: null }
const bea: ForgottenPerson = { ...ada, issuance: 2, name: hash('bea') }
const past: ForgottenPerson = { ...ada, kind: 'retention', rule: 'by e-mail' }
const row: RowToRecognize = {
  isValid: true,
  name: hash('ada'),
  keyOf: null,
  rule: 'by e-mail',
  isCompletion: false,
  isRenewal: false,
}

describe('the identifiers of a record', () => {
  test.each<[what: string, recipient: Record<string, string>, identity: string[], found: string[]]>([
    ['its address, whatever its letters', { Email: ' Ada@Example.org', 'First Name': 'Ada' }, [], ['ada@example.org']],
    [
      'a number, with and without its dial code',
      { 'Contact Number': '(0)77 00', 'Dial Code': '+44' },
      [],
      ['7700', '447700'],
    ],
    [
      'a single identity field',
      { Email: 'a@b.org', 'Register Number': 'R-1' },
      ['register number'],
      ['r-1', 'a@b.org'],
    ],
    ['none of several identity fields', { Email: 'a@b.org', Born: '1990' }, ['Last Name', 'Born'], ['a@b.org']],
    ['no name', { Email: 'a@b.org', 'Last Name': 'King' }, ['Last Name'], ['a@b.org']],
    ['what the Primary Value names', { 'Primary Value': 'Pass', Pass: 'X1' }, [], ['x1']],
    ['nothing of an empty record', {}, [], []],
  ])('are %s', (_, recipient, identity, found) => {
    expect(identifiersOf(recipient, identity).toSorted()).toEqual(found.toSorted())
  })

  test('may be typed as they are read', () => {
    expect(identifiersInText(' ADA@example.org ')).toEqual(['ada@example.org'])
    expect(identifiersInText('+44 7700')).toEqual(['+44 7700', '447700'])
    expect(identifiersInText('77')).toEqual(['77'])
  })
})

test('a name is folded, and a part that is empty counts for nothing', () => {
  expect(foldedNameOf({ 'First Name': ' ÀDA ', 'Last Name': 'O|Neil', Email: 'x' })).toBe('àda|oneil')
  expect(foldedNameOf({ 'First Name': '', 'Last Name': 'King' })).toBe('king')
  expect(foldedNameOf({ Email: 'x' })).toBe('')
})

test('a rule is the same in any order', () => {
  const rule = ruleText({ identity: ['b', 'a'], occurrence: [] })
  expect(rule).toBe(ruleText({ identity: ['a', 'b'], occurrence: [] }))
  expect(rule).not.toBe(ruleText({ identity: [], occurrence: ['a', 'b'] }))
})

describe('a row with an identifier of somebody who was forgotten', () => {
  test.each<[what: string, more: Partial<RowToRecognize>, matches: ForgottenPerson[], kind: string, as: number | null]>(
    [
      ['and the name', {}, [ada], 'forgotten', 1],
      ['and another name', { name: hash('cy') }, [ada], 'unclear', 1],
      ['and no name', { name: null }, [ada], 'unclear', 1],
      ['who had no name', {}, [{ ...ada, name: null }], 'unclear', 1],
      ['and no name, as the person', { name: null }, [{ ...ada, name: null }], 'unclear', 1],
      ['and the key, and no name, as the person', { name: null, keyOf: 1 }, [{ ...ada, name: null }], 'forgotten', 1],
      ['of two people, and the name of one', { name: hash('bea') }, [ada, bea], 'forgotten', 2],
      ['that is invalid, and has the name', { isValid: false }, [ada], 'forgotten', 1],
      ['that is invalid, and has another name', { isValid: false, name: hash('cy') }, [ada], 'other', null],
      ['that is invalid, and has no name', { isValid: false, name: null }, [ada], 'forgotten', 1],
      [
        'that is an invalid completion, and has no name',
        { isValid: false, name: null, isCompletion: true },
        [ada],
        'other',
        null,
      ],
      ['and the key', { keyOf: 1 }, [ada], 'forgotten', 1],
      ['and the key, and another name', { keyOf: 1, name: hash('cy') }, [ada], 'unclear', 1],
      ['of whom there was no issuance', {}, [{ ...ada, issuance: null }], 'forgotten', null],
      ['although it renews', { isRenewal: true }, [ada], 'forgotten', 1],
    ],
  )('%s', (_, more, matches, kind, as) => {
    const found = recognizeForgotten({ ...row, ...more }, matches)
    expect([found.kind, found.kind === 'other' ? null : found.as.issuance]).toEqual([kind, as])
  })

  test.each<[what: string, more: Partial<RowToRecognize>, kind: string]>([
    ['is known by its key', { keyOf: 1 }, 'other'],
    ['has the key and another name', { keyOf: 1, name: hash('cy') }, 'unclear'],
    ['is another occasion or person by the same rule', {}, 'other'],
    ['is the same person by another rule', { rule: 'by number' }, 'known'],
    ['is somebody else by another rule', { rule: 'by number', name: hash('cy') }, 'other'],
    ['may be the same person by another rule', { rule: 'by number', name: null }, 'unclear'],
    ['renews, by another rule', { rule: 'by number', isRenewal: true }, 'other'],
    ['is invalid', { isValid: false }, 'other'],
  ])('%s, if the retention ended', (_, more, kind) => {
    expect(recognizeForgotten({ ...row, ...more }, [past]).kind).toBe(kind)
  })

  test('is of whoever asked for it, before those whose retention ended', () => {
    expect(recognizeForgotten({ ...row, keyOf: 1 }, [past, { ...ada, issuance: 3 }])).toMatchObject({
      kind: 'forgotten',
      as: { issuance: 3 },
    })
  })
})
