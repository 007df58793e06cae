// The parameters of a request, and its headers before the body is read.

import { expect, test } from 'vitest'
import { mediaTypeOf } from '#src/lms/xapi/media-type.ts'
import { parametersOf } from '#src/lms/xapi/query-parameters.ts'
import { checkXapiHeaders } from '#src/lms/xapi/receiver.ts'

const read = (query: string, known: string[]) => () => parametersOf(new URLSearchParams(query), known)

test('known parameters are returned by name', () => {
  expect([...read('a=1&b=', ['a', 'b', 'c'])()]).toEqual([
    ['a', '1'],
    ['b', ''],
  ])
})

test.each([
  ['A=1', ['a', 'b'], /unknown parameter.*Allowed parameters: a, b\./],
  ['a=1', [], /unknown parameter.*allows no parameters/],
  ['a=1&a=2', ['a'], /parameter a more than once/],
])('%s is refused where %j are known', (query, known, message) => {
  expect(read(query, known)).toThrow(message)
})

test.each([
  [' Text/Plain ; charset=utf-8', 'text/plain'],
  ['application/json', 'application/json'],
  ['', ''],
])('the media type of %j is %j', (header, type) => {
  expect(mediaTypeOf(header)).toBe(type)
})

test('/about is open to everyone, and statements only to those who authenticate', () => {
  const parts = {
    authenticate: () => false,
    sender: { edition: '1.0' },
    clock: { now: () => new Date() },
  } as unknown as Parameters<typeof checkXapiHeaders>[1]
  const sent = (path: string, method = 'GET') => ({ path, method, query: new URLSearchParams(), headers: {} })
  expect(checkXapiHeaders(sent('/about'), parts)).toEqual({ kind: 'open' })
  expect(checkXapiHeaders(sent('/about', 'POST'), parts)).toMatchObject({ kind: 'refused', answer: { status: 405 } })
  expect(checkXapiHeaders(sent('/statements'), parts)).toMatchObject({ kind: 'refused' })
})
