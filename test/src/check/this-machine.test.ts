// Which addresses are this machine's own.

import { expect, test } from 'vitest'
import { isThisMachine } from '#src/check/this-machine.ts'

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['[::1]', true],
  ['0.0.0.0', false],
  ['moodle.example.org', false],
  ['127.0.0.1.example.org', false],
  ['localhost.example.org', false],
])('%s is this machine: %s', (host, is) => {
  expect(isThisMachine(host)).toBe(is)
})
