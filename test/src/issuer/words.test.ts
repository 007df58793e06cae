import { expect, test } from 'vitest'
import { maskWords, wordsOf } from '#src/issuer/words.ts'

test.each([
  ['{"message":"Course not found"}', 'Course not found'],
  ['{"status":400,"error":{"message":"no such field"}}', 'no such field'],
  ['{"errors":[{"message":"one"},{"detail":"two"},"three"]}', 'one; two; three'],
  ['{"message":"","error":"inner"}', 'inner'],
  ['<html><h1>502</h1></html>', ''],
  ['{"message":"cut', ''],
  ['plain refusal', 'plain refusal'],
  ['', ''],
])('reads %j as %j', (text, words) => {
  expect(wordsOf(text)).toBe(words)
})

test('masks addresses, numbers and token-like runs, and leaves uuids and short numbers', () => {
  const token = `eyJ${'a1B2'.repeat(20)}`
  expect(maskWords(`jörg.m@ö.de <a+b@x.org> +49 (151) 23-45-67 ${token}`)).toBe(
    '[e-mail] <[e-mail]> [number] [long text]',
  )
  expect(maskWords('Row 12 of abcdef12-ab1c-4abc-8abc-abcdefabcdef')).toBe(
    'Row 12 of abcdef12-ab1c-4abc-8abc-abcdefabcdef',
  )
})

test('leaves out what was told in confidence, in every way of writing it, and however short', () => {
  const told = (text: string) => [{ reveal: () => text }]
  expect(wordsOf('{"message":"no k-1234 here"}', told('k-1234'))).toBe('no [secret] here')
  expect(wordsOf('no k-1234', told('k-1234'))).toBe('no [secret]')
  expect(wordsOf(JSON.stringify({ message: 'a={"b":"x\\"1/"} c=x%221%2F d=x"1/' }), told('x"1/'))).toBe(
    'a={"b":"[secret]"} c=[secret] d=[secret]',
  )
  expect(wordsOf('key-1 key-1-more', [...told('key-1'), ...told('key-1-more')])).toBe('[secret] [secret]')
  expect(wordsOf('an air', told('a'))).toBe('an air')
})

test('is one line of at most 300 characters without control characters', () => {
  const words = maskWords(`a\r\n\u001b[31mb\u2028c\u202e${'x '.repeat(5_000)}`)
  expect(words.startsWith('a [31mb c')).toBe(true)
  expect(words.length).toBeLessThanOrEqual(300)
})

test('a very long hostile text is masked quickly', () => {
  const before = performance.now()
  maskWords(`${'a'.repeat(1_000_000)}@`)
  maskWords('1'.repeat(1_000_000))
  expect(performance.now() - before).toBeLessThan(1_000)
})
