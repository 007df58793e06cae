// Recognizes this machine's own addresses.

import { expect, test } from 'vitest'
import { isOwnMachine } from '#src/platform/own-machine.ts'

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['[::1]', true],
  ['127.999.1.1', false],
  ['0.0.0.0', false],
  ['moodle.example.org', false],
  ['127.0.0.1.example.org', false],
  ['localhost.example.org', false],
])('%s is this machine: %s', (host, expected) => {
  expect(isOwnMachine(host)).toBe(expected)
})
