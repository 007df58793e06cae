// The service's address: which addresses are accepted, and how they are split.

import { expect, test } from 'vitest'
import { BaseUrlError, parseBaseUrl } from '#src/issuer/http/base-url.ts'

test.each([
  ['https://service.example', 'https://service.example', ''],
  ['https://service.example:8443/a/b//', 'https://service.example:8443', '/a/b'],
  ['http://localhost:3000/x', 'http://localhost:3000', '/x'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000', ''],
  ['http://[::1]:3000', 'http://[::1]:3000', ''],
])('accepts %s', (text, origin, prefix) => {
  expect(parseBaseUrl(text)).toEqual({ origin, prefix })
})

test.each([
  ['http://service.example'],
  ['http://127.0.0.1.evil.example'],
  ['http://localhost.evil.example'],
  ['ftp://localhost'],
  ['service.example'],
  ['https://user:hunter2@service.example'],
  ['https://service.example?key=hunter2'],
  [''],
])('refuses %s without repeating it', (text) => {
  const attempt = () => parseBaseUrl(text)
  expect(attempt).toThrow(BaseUrlError)
  expect(attempt).not.toThrow(/hunter2|example\b.*evil/)
})
