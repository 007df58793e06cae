// Every rule that a row can break has a description and a remedy.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeRule } from '#src/domain/recipient/describe-rule.ts'
import { remedyOfBreach, remedyOfRule } from '#src/domain/recipient/remedy-of-rule.ts'

const source = join(import.meta.dirname, '../../../../src')

/** The names in the union types of rules that a row can break. */
function rulesIn(file: string, declared: RegExp): string[] {
  const text = readFileSync(join(source, file), 'utf8')
  return [...(declared.exec(text)?.[1] ?? '').matchAll(/'([a-z_-]+)'/g)].map((match) => match[1] as string)
}

const rules = [
  ...rulesIn('domain/recipient/violation.ts', /type ViolationRule =([\s\S]*?)\n\n/),
  ...rulesIn('files/tables/source.ts', /rule:((?:\s*\|?\s*'[a-z-]+')+)/),
  ...['identity_conflict', 'other_learner'],
]

describe('the description of a rule', () => {
  test('exists for every rule that a row can break', () => {
    expect(rules.length).toBeGreaterThan(20)
    expect(rules.filter((rule) => describeRule(rule, 'Email').includes('breaks the rule'))).toEqual([])
  })

  test.each([
    ['date', 'Birth Date', '“Birth Date” is not a date'],
    ['required', 'Email', '“Email” is empty, and the course requires it'],
    ['identity_conflict', '', 'the same person has different names'],
    ['date', '', 'a value is not a date'],
    ['image-missing', 'Photo', '“Photo” breaks the rule image missing'],
    ['constructor', '', 'the row breaks the rule constructor'],
  ])('of %j for %j is %j', (rule, field, words) => {
    expect(describeRule(rule, field)).toBe(words)
  })
})

describe('the remedy of a rule', () => {
  test('exists for every rule that a row can break, as a sentence', () => {
    expect(rules.filter((rule) => !/^\p{Lu}.*\.$/su.test(remedyOfRule(rule, 'Email') ?? ''))).toEqual([])
  })

  test.each([
    ['Birth Date', '{ Birth Date: { column'],
    ['Date: of birth', '{ "Date: of birth": { column'],
    ['', '{ <field>: { column'],
  ])('names the field %j in the form that the configuration accepts', (field, words) => {
    expect(remedyOfRule('date', field)).toContain(words)
  })

  test('names no file if the rows are completions', () => {
    const completionRules = rules.filter((rule) => !/^(not_mended|[a-z]+-[a-z-]+)$/.test(rule))
    const remedies = completionRules.map((rule) => remedyOfRule(rule, 'Email', 'learning system'))
    expect(
      remedies.filter((remedy) => remedy === null || /\bfile\b|spreadsheet|\bZIP\b|one row/i.test(remedy)),
    ).toEqual([])
    expect(rules.map((rule) => describeRule(rule, 'Email')).filter((each) => /\bfile\b/.test(each))).toEqual([
      'a formula has no value in the file',
    ])
  })

  test.each(['text', 'control_character', 'error_cell', 'number_shortened', 'formula', 'damaged_letters'] as const)(
    'for %s is in the learning system, if the value is from there',
    (rule) => {
      const breach = { rule, wrong: 'which is wrong', remedy: 'Own.' }
      expect(remedyOfBreach(breach, 'learning system')).toContain('learning system')
      expect(remedyOfBreach(breach, 'file')).toBe('Own.')
      expect(remedyOfBreach({ ...breach, rule: 'max_length' }, 'learning system')).toBe('Own.')
    },
  )

  test('is missing for a rule that only another version has', () => {
    expect(remedyOfRule('constructor', '')).toBeNull()
  })
})
