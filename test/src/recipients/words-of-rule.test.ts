import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { remedyOfRule } from '#src/recipients/remedy-of-rule.ts'
import { wordsOfRule } from '#src/recipients/words-of-rule.ts'

const source = join(import.meta.dirname, '../../../src')

/** The names in the union types that say what a row can have wrong. */
function rulesIn(file: string, declared: RegExp): string[] {
  const text = readFileSync(join(source, file), 'utf8')
  return [...(declared.exec(text)?.[1] ?? '').matchAll(/'([a-z_-]+)'/g)].map((match) => match[1] as string)
}

const rules = [
  ...rulesIn('recipients/violation.ts', /type ViolationRule =([\s\S]*?)\n\n/),
  ...rulesIn('sources/source.ts', /rule:((?:\s*\|?\s*'[a-z-]+')+)/),
  'identity_conflict',
]

describe('the words of a rule', () => {
  test('are there for every rule that a row can break', () => {
    expect(rules.length).toBeGreaterThan(20)
    expect(rules.filter((rule) => wordsOfRule(rule, 'Email').includes('breaks the rule'))).toEqual([])
  })

  test.each([
    ['date', 'Birth Date', '“Birth Date” is not a date'],
    ['required', 'Email', '“Email” is empty, and the course requires it'],
    ['identity_conflict', '', 'the same person is named by different names'],
    ['date', '', 'a value is not a date'],
    ['image-missing', 'Photo', '“Photo” breaks the rule image missing'],
    ['constructor', '', 'the row breaks the rule constructor'],
  ])('of %j for %j are %j', (rule, field, words) => {
    expect(wordsOfRule(rule, field)).toBe(words)
  })
})

describe('the remedy of a rule', () => {
  test('is there for every rule that a row can break, as a sentence', () => {
    expect(rules.filter((rule) => !/^\p{Lu}.*\.$/su.test(remedyOfRule(rule, 'Email') ?? ''))).toEqual([])
  })

  test.each([
    ['Birth Date', '{ Birth Date: { column'],
    ['Date: of birth', '{ "Date: of birth": { column'],
    ['', '{ <field>: { column'],
  ])('names the field %j as the configuration takes it', (field, words) => {
    expect(remedyOfRule('date', field)).toContain(words)
  })

  test('is missing for a rule of another version', () => {
    expect(remedyOfRule('constructor', '')).toBeNull()
  })
})
