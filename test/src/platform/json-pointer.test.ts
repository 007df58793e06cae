// Which strings are JSON Pointers, and what they refer to. The examples are those of RFC 6901, section 5.

import { expect, test } from 'vitest'
import { escapeName, pointerPattern, removeAt, valueAt } from '#src/platform/json-pointer.ts'

const rfc = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
}

test.each([
  ['', rfc],
  ['/foo', ['bar', 'baz']],
  ['/foo/0', 'bar'],
  ['/', 0],
  ['/a~1b', 1],
  ['/c%d', 2],
  ['/e^f', 3],
  ['/g|h', 4],
  ['/i\\j', 5],
  ['/k"l', 6],
  ['/ ', 7],
  ['/m~0n', 8],
])('%j refers to the value in the RFC', (pointer, value) => {
  expect(valueAt(rfc, pointer)).toEqual(value)
})

test.each([
  '/foo/2',
  '/foo/-',
  '/foo/00',
  '/foo/length',
  '/foo/0/0',
  '/constructor',
  '/__proto__',
  '/toString',
  '/no/way',
  'foo',
  'xfoo',
])('%j refers to nothing', (pointer) => {
  expect(valueAt(rfc, pointer)).toBeUndefined()
})

test('a tilde and a one after an escaped tilde stay unchanged', () => {
  expect(valueAt({ '~1': 'kept' }, '/~01')).toBe('kept')
})

test.each([
  ['/a/~0~1', true],
  ['', true],
  ['a', false],
  ['#/a', false],
  ['/a~2', false],
  ['/a~', false],
])('whether %j has the form of a pointer: %s', (text, expected) => {
  expect(pointerPattern.test(text)).toBe(expected)
})

test('a pointer with an escaped name refers to the member of that name', () => {
  expect(valueAt({ 'a~1/b': 1 }, `/${escapeName('a~1/b')}`)).toBe(1)
})

test.each([
  ['/a~1b/c', { 'a/b': {}, list: [1] }],
  ['/list/0', { 'a/b': { c: 1 }, list: [1] }],
  ['/no/way', { 'a/b': { c: 1 }, list: [1] }],
  ['', { 'a/b': { c: 1 }, list: [1] }],
  ['/list', { 'a/b': { c: 1 } }],
])('%j removes at most one member of an object', (pointer, left) => {
  const document = { 'a/b': { c: 1 }, list: [1] }
  removeAt(document, pointer)
  expect(document).toEqual(left)
})
