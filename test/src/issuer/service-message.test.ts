// The service's message in an answer: extracted, masked, and without secrets.

import { expect, test } from 'vitest'
import { maskWords, serviceMessage } from '#src/issuer/service-message.ts'
import { Secret } from '#src/platform/secret.ts'
import { growth, linear } from '#test/support/cpu-growth.ts'

test.each([
  ['{"message":"Course not found"}', 'Course not found'],
  ['{"status":400,"error":{"message":"no such field"}}', 'no such field'],
  ['{"errors":[{"message":"one"},{"detail":"two"},"three"]}', 'one; two; three'],
  ['{"message":"","error":"inner"}', 'inner'],
  ['<html><h1>502</h1></html>', ''],
  ['{"message":"cut', ''],
  ['plain refusal', 'plain refusal'],
  ['a refusal with <b>markup</b> and {braces}', 'a refusal with <b>markup</b> and {braces}'],
  ['  <html><h1>502</h1></html>', ''],
  ['{"title":{"detail":"within"}}', 'within'],
  ['{"error_description":"no such client"}', 'no such client'],
  ['{"other":"not a message"}', ''],
  ['[1,"a","b"]', 'a; b'],
  ['"just text"', 'just text'],
  ['{"errors":["1","2","3","4","5","6"]}', '1; 2; 3; 4; 5'],
  ['', ''],
])('reads %j as %j', (text, words) => {
  expect(serviceMessage(text)).toBe(words)
})

test('masks addresses, numbers and text that looks like a token, but not uuids or short numbers', () => {
  const token = `eyJ${'a1B2'.repeat(20)}`
  expect(maskWords(`jörg.m@ö.de <a+b@x.org> +49 (151) 23-45-67 ${token}`)).toBe(
    '[e-mail] <[e-mail]> [number] [long text]',
  )
  expect(maskWords('Row 12 of abcdef12-ab1c-4abc-8abc-abcdefabcdef')).toBe(
    'Row 12 of abcdef12-ab1c-4abc-8abc-abcdefabcdef',
  )
})

test('removes secrets in every encoding, unless they are too short to be secrets', () => {
  const secrets = (text: string) => [new Secret(text)]
  expect(serviceMessage('{"message":"no k-1234 here"}', secrets('k-1234'))).toBe('no [secret] here')
  expect(serviceMessage('no k-1234', secrets('k-1234'))).toBe('no [secret]')
  expect(serviceMessage(JSON.stringify({ message: 'a={"b":"x\\"1/"} c=x%221%2F d=x"1/' }), secrets('x"1/'))).toBe(
    'a={"b":"[secret]"} c=[secret] d=[secret]',
  )
  expect(serviceMessage('key-1 key-1-more', [...secrets('key-1'), ...secrets('key-1-more')])).toBe('[secret] [secret]')
  expect(serviceMessage('an air', secrets('a'))).toBe('an air')
})

test('a message is one line of at most 300 characters without control characters', () => {
  const words = maskWords(`a\r\n\u001b[31mb\u2028c\u202e${'x '.repeat(5_000)}`)
  expect(words.startsWith('a [31mb c')).toBe(true)
  expect(words.length).toBeLessThanOrEqual(300)
})

test('a very long hostile text is masked in at most linear time', async () => {
  const mask = (times: number) => {
    maskWords(`${'a'.repeat(250_000 * times)}@`)
    maskWords('1'.repeat(250_000 * times))
  }
  expect(await growth(mask)).toBeLessThan(linear)
})
