// XML gives the same elements and texts, and the same refusal, wherever its chunks are split.

import { describe, expect, test } from 'vitest'
import { refusalsOf, SourceError } from '#src/files/tables/source-error.ts'
import { sourceLimits } from '#src/files/tables/source-limits.ts'
import { walkXml } from '#src/files/tables/xlsx/walk-xml.ts'

const reading = { limits: { ...sourceLimits, xmlPieceBytes: 100_000 }, refuse: refusalsOf('results.xlsx') }

/** Returns the calls of the visitor, with texts that follow each other as one, and the refusal. */
async function walk(bytes: Buffer, step = bytes.length) {
  const calls: string[] = []
  let text = ''
  const call = (...parts: unknown[]) => {
    if (text !== '') calls.push(text)
    text = ''
    calls.push(JSON.stringify(parts))
  }
  const visitor = {
    open: (name: string, attributes: Record<string, string>, parent: string) => call('open', name, attributes, parent),
    text: (piece: string, element: string) => {
      if (element !== '') text += piece
    },
    close: (name: string, parent: string) => call('close', name, parent),
  }
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step)
  }
  try {
    for await (const _ of walkXml(chunks(), visitor, reading));
    return { calls, refusal: undefined }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return { calls, refusal: error.code }
  }
}

test.each([
  [`<?xml version='1.0' encoding='utf-8'?>\r\n<a/>\r\n`, '["open","a",{},""] ["close","a",""]'],
  ['<a>text <b>inner</b> tail</a>', '["open","b",{},"a"] inner ["close","b","a"]  tail'],
  ['<a>1 &lt; 2 &amp;&amp; &quot;&apos;&#65;&#x1F600;&#13;</a>', `1 < 2 && "'A😀\r`],
  ['<a b="&lt;&amp;" c = "&#x41;\n" d=\'"\' e=">"/>', JSON.stringify({ b: '<&', c: 'A ', d: '"', e: '>' })],
  ['<x:a xmlns:x="y"><x:b x:c="1">t</x:b></x:a>', '["open","b",{"x:c":"1"},"a"] t ["close","b","a"]'],
  ['<a>1<!-- - with > and < in it -->2<?go on?>3</a><!-- behind -->', '123'],
  ['<a><![CDATA[<not> & a tag ]] ]]></a>', '<not> & a tag ]] '],
  ['<a>first\r\nsecond\rthird\r</a>', 'first\nsecond\nthird\n'],
  ['<a>Ελένη 李娜 😀 ﷺ \ufffd\u2028</a>', 'Ελένη 李娜 😀 ﷺ \ufffd\u2028'],
  ['<a constructor="1" __proto__="2"/>', '"__proto__":"2"'],
  [`${'<a>'.repeat(64)}${'</a>'.repeat(64)}`, '["close","a","a"]'],
])('reads %j', async (xml, expected) => {
  const bytes = Buffer.from(xml)
  const whole = await walk(bytes)
  expect(whole.refusal).toBeUndefined()
  expect(whole.calls.join(' ')).toContain(expected)
  expect(await walk(bytes, 1)).toEqual(whole)
})

const damaged = ['', ' ', 'text', '<', '<a', '<a>', '<a><b></a>', '</a>', '<a/><b/>', '<a/>text', 'text<a/>', '<1a/>']
const notWellFormed = [
  '<a>&evil;</a>',
  '<a>& b</a>',
  '<a b=1/>',
  '<a b/>',
  '<a b="<"/>',
  '<a>]]></a>',
  '<a><!-- a -- b --></a>',
]
const notXml = ['<a>\0</a>', '<a>\u0001</a>', '<a>\uffff</a>', '<a>&#0;</a>', '<a>&#xD83D;</a>', '<a b="&#xFFFF;"/>']
const declared = ['<?xml version="1.0" encoding="latin1"?><a/>', '<a><!ELEMENT b></a>', '<a><!DOCTYPE b></a>']
const twice = ['<a b="1" b="2"/>', '<a x:b="1" x:b="2"/>']

describe('refuses', () => {
  test.each([
    ...[...damaged, ...notWellFormed, ...notXml, ...declared, ...twice].map((xml) => [xml, 'damaged']),
    ['<!DOCTYPE a><a/>', 'forbidden-xml'],
    ['<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><a>&d;</a>', 'forbidden-xml'],
    [`${'<a>'.repeat(65)}${'</a>'.repeat(65)}`, 'limit'],
  ])('%j', async (xml, code) => {
    const bytes = Buffer.from(xml)
    expect((await walk(bytes)).refusal).toBe(code)
    expect((await walk(bytes, 1)).refusal).toBe(code)
  })

  test.each([
    ['a name', `<a ${'b'.repeat(150_000)}="1"/>`],
    ['a value', `<a b="${'c'.repeat(150_000)}"/>`],
    ['a text', `<a>${'c'.repeat(150_000)}</a>`],
    ['a comment', `<a><!--${'c'.repeat(150_000)}--></a>`],
  ])('%s of 150,000 characters in small chunks', async (_, xml) => {
    expect((await walk(Buffer.from(xml), 1_000)).refusal).toBe('limit')
  })
})

test.each(['utf16le', 'utf8'] as const)('XML in %s may have a byte order mark', async (encoding) => {
  const bytes = Buffer.from(`\ufeff<a>é\r\n\r</a>`, encoding)
  const whole = await walk(bytes)
  expect(whole).toMatchObject({ calls: expect.arrayContaining(['é\n\n']), refusal: undefined })
  // The mark is recognized only in the first chunk.
  expect(await walk(bytes, 3)).toEqual(whole)
})

test.each([
  ['a character that is cut off', '3c613ec3'],
  ['a byte that no UTF-8 has', '3c613eff3c2f613e'],
])('XML with %s is refused', async (_, hex) => {
  expect((await walk(Buffer.from(hex, 'hex'))).refusal).toBe('damaged')
})
