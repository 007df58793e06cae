// The search finds a value in every form in which it may be left. Without this, finding nothing would mean nothing.

import { expect, test } from 'vitest'
import { buildZip } from '#test/support/build-zip.ts'
import { type Canary, canaryIn, gone, stays } from './canary.ts'

const quoted = (text: string) =>
  [...Buffer.from(text)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

const forms: [string, (text: string) => Buffer][] = [
  ['as UTF-8', (text) => Buffer.from(text)],
  ['in capital letters', (text) => Buffer.from(text.toUpperCase())],
  ['as UTF-16, little-endian', (text) => Buffer.from(text, 'utf16le')],
  ['as UTF-16, big-endian', (text) => Buffer.from(text, 'utf16le').swap16()],
  ['as NFD', (text) => Buffer.from(text.normalize('NFD'))],
  ['without marks', (text) => Buffer.from(text.normalize('NFD').replace(/\p{M}/gu, ''))],
  [
    'escaped in JSON',
    (text) =>
      Buffer.from(text.replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)),
  ],
  ['escaped in HTML', (text) => Buffer.from(text.replace(/[^ -~]/g, (letter) => `&#${letter.codePointAt(0)};`))],
  ['in a URL', (text) => Buffer.from(encodeURIComponent(text))],
  ['in base64', (text) => Buffer.from(Buffer.from(text).toString('base64'))],
  ['in hex', (text) => Buffer.from(Buffer.from(text).toString('hex'))],
  ['quoted-printable', (text) => Buffer.from(quoted(text))],
  ['folded in quoted-printable', (text) => Buffer.from(quoted(text).replace(/(.{12})/g, '$1=\r\n'))],
]

test.each(forms)('a value is found %s, at any place', (_, encode) => {
  for (const before of ['', 'x', 'xy', 'xyz'])
    for (const [name, token] of Object.entries(gone)) {
      const bytes = Buffer.concat([encode(before), encode(`${before}${token} and more`)])
      expect([name, canaryIn(bytes, gone)]).toEqual([name, expect.arrayContaining([name])])
      expect(canaryIn(bytes, stays)).toEqual([])
    }
})

test('a number is found by its digits', () => {
  expect(canaryIn(Buffer.from('call (0)7700/911-864'), gone)).toEqual(['phone'])
})

test('a value in an archive within an archive is found', () => {
  const inner = buildZip([{ name: 'list.csv', content: gone.remark, deflate: true }])
  const bytes = buildZip([{ name: 'inner.zip', content: inner, deflate: true }])
  expect(bytes.includes(gone.remark)).toBe(false)
  expect(canaryIn(bytes, gone)).toEqual(['remark'])
})

test('no value is part of another one', () => {
  const values = (canary: Canary) => Object.values(canary)
  for (const token of [...values(gone), ...values(stays)]) {
    const found = [...canaryIn(Buffer.from(token), gone), ...canaryIn(Buffer.from(token), stays)]
    expect(found).toHaveLength(1)
  }
})
