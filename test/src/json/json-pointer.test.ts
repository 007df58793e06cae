// Which texts are JSON Pointers, and where they point. The table of the document is the one of RFC 6901, section 5.

import { expect, test } from 'vitest'
import { coded, pointerForm, removeAt, valueAt } from '#src/json/json-pointer.ts'

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
])('%j points as the RFC says', (pointer, value) => {
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
])('%j points at nothing', (pointer) => {
  expect(valueAt(rfc, pointer)).toBeUndefined()
})

test('a tilde and a one behind an escaped tilde stay what they are', () => {
  expect(valueAt({ '~1': 'kept' }, '/~01')).toBe('kept')
})

test.each([
  ['/a/~0~1', true],
  ['', true],
  ['a', false],
  ['#/a', false],
  ['/a~2', false],
  ['/a~', false],
])('%j is of the form of a pointer: %s', (text, expected) => {
  expect(pointerForm.test(text)).toBe(expected)
})

test('a name is written so that it is found again', () => {
  expect(valueAt({ 'a~1/b': 1 }, `/${coded('a~1/b')}`)).toBe(1)
})

test.each([
  ['/a~1b/c', { 'a/b': {}, list: [1] }],
  ['/list/0', { 'a/b': { c: 1 }, list: [1] }],
  ['/no/way', { 'a/b': { c: 1 }, list: [1] }],
  ['', { 'a/b': { c: 1 }, list: [1] }],
  ['/list', { 'a/b': { c: 1 } }],
])('%j takes out a member of a group, and nothing else', (pointer, left) => {
  const document = { 'a/b': { c: 1 }, list: [1] }
  removeAt(document, pointer)
  expect(document).toEqual(left)
})
