// Our tokenizer and saxes tell the same of every XML: the same elements and texts in the same order, and the same refusal at
// the same place, wherever the pieces that it comes in are cut. A failing run names its seed, and SEED=n repeats just that one.

import { describe, expect, test } from 'vitest'
import { refusalsOf, SourceError } from '#src/sources/source-error.ts'
import { type SourceLimits, sourceLimits } from '#src/sources/source-limits.ts'
import { openXmlDecoder } from '#src/sources/xlsx/decode-xml.ts'
import { PlainXml } from '#src/sources/xlsx/plain-xml.ts'
import { openSaxes } from '#src/sources/xlsx/saxes-walker.ts'
import { walkXml } from '#src/sources/xlsx/walk-xml.ts'
import type { XmlVisitor } from '#src/sources/xlsx/xml-visitor.ts'
import { type OpenWalker, openXmlWalker } from '#src/sources/xlsx/xml-walker.ts'
import { cases } from '#test/src/sources/corpus/cases.ts'
import { mutateBytes, mutateValues } from '#test/src/sources/fuzz/mutate.ts'
import { unpack } from '#test/src/sources/fuzz/unpack.ts'
import { type Dice, openDice } from '#test/support/dice.ts'
import { seeds, sized, tally } from '#test/support/size.ts'
import { strangeXml, usualXml } from './xml-cases.ts'

const runs = sized(1_500, 60_000)
const limits: SourceLimits = { ...sourceLimits, xmlPieceBytes: 100_000 }
const refuse = refusalsOf('results.xlsx')

type Told = [what: string, ...string[]] | ['open', string, Record<string, string>, string]

interface Walk {
  told: Told[]
  refusal?: string
}

async function walk(bytes: Buffer, cuts: number[], openWalker: OpenWalker): Promise<Walk> {
  const told: Told[] = []
  const visitor: XmlVisitor = {
    open: (name, attributes, parent) => told.push(['open', name, { ...attributes }, parent]),
    // Blanks around the root are told by one of them only, and nobody listens.
    text: (text, element) => element !== '' && told.push(['text', text, element]),
    close: (name, parent) => told.push(['close', name, parent]),
  }
  try {
    for await (const _ of walkXml(piecesOf(bytes, cuts), visitor, limits, refuse, openWalker));
    return { told }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return { told, refusal: `${error.code}: ${error.sentence}` }
  }
}

async function* piecesOf(bytes: Buffer, cuts: number[]) {
  const borders = [0, ...cuts, bytes.length]
  for (let index = 1; index < borders.length; index++) yield bytes.subarray(borders[index - 1], borders[index])
}

async function expectSame(bytes: Buffer, cuts: number[] = []): Promise<Walk> {
  const ours = await walk(bytes, cuts, openXmlWalker)
  expect(ours).toEqual(await walk(bytes, cuts, openSaxes))
  return ours
}

/** Of a long one, every thousandth. */
const everyByte = (bytes: Buffer) => {
  const step = bytes.length > 5_000 ? 1_000 : 1
  return Array.from({ length: Math.max(0, Math.ceil(bytes.length / step) - 1) }, (_, index) => (index + 1) * step)
}
const rowsOf = (xml: string[]): [string, string][] => xml.map((each) => [each.slice(0, 60), each])

describe('XML that spreadsheet programs write', () => {
  test.each(rowsOf(usualXml))('is told as saxes tells it: %s', async (_, xml) => {
    const bytes = Buffer.from(xml)
    const whole = await expectSame(bytes)
    expect(whole.refusal).toBeUndefined()
    expect(await expectSame(bytes, everyByte(bytes))).toEqual(whole)
  })

  test.each(rowsOf(usualXml))('is read without saxes: %s', (_, xml) => {
    const plain = new PlainXml({}, limits, refuse)
    const decoder = openXmlDecoder()
    expect(plain.write(decoder.decode(Buffer.from(xml)))).toBe(true)
    expect(plain.write(decoder.end())).toBe(true)
    expect(plain.end()).toBe(true)
  })
})

describe('XML that they do not write', () => {
  test.each(rowsOf(strangeXml))('ends as saxes ends it: %s', async (_, xml) => {
    const bytes = Buffer.from(xml)
    await expectSame(bytes)
    await expectSame(bytes, everyByte(bytes))
  })
})

test.each(['utf16le', 'utf8'] as const)(
  'XML in %s with a byte order mark is told as saxes tells it',
  async (encoding) => {
    const bytes = Buffer.from(`\ufeff<a>é\r\n\r</a>`, encoding)
    const whole = await expectSame(bytes)
    expect(whole.told).toContainEqual(['text', 'é\n\n', 'a'])
    // The mark shows in the first piece, or not at all.
    expect(await expectSame(bytes, everyByte(bytes).slice(2))).toEqual(whole)
  },
)

/** The XML of all sample workbooks. */
async function sampleParts(): Promise<Buffer[]> {
  const built = await Promise.all(cases.map(async ({ build }) => Buffer.from(await build())))
  const parts = built.flatMap((bytes) => unpack(bytes) ?? []).map(({ content }) => Buffer.from(content))
  const xml = parts
    .filter((bytes) => bytes.includes('<') && bytes.length < 20_000)
    .map((bytes) => bytes.toString('latin1'))
  return [...new Set(xml), ...usualXml, ...strangeXml].map((text) => Buffer.from(text, 'latin1'))
}

function damage(part: Buffer, other: Buffer, dice: Dice): Buffer {
  if (dice.chance(0.1)) return part
  if (dice.chance(0.4)) return Buffer.from(mutateValues(part.toString(), dice))
  return mutateBytes(part, dice, other)
}

test(
  'the parts of all sample workbooks, damaged and cut anywhere, are told as saxes tells them',
  async () => {
    const parts = await sampleParts()
    const counts = { parts: 0, refused: 0, pieces: 0 }
    const all = seeds(runs)
    for (const seed of all) {
      const dice = openDice(seed)
      const bytes = damage(dice.pick(parts), dice.pick(parts), dice)
      const cuts = Array.from({ length: dice.between(0, 4) }, () => dice.between(0, bytes.length)).sort((a, b) => a - b)
      try {
        const { told, refusal } = await expectSame(bytes, cuts)
        counts.parts++
        counts.pieces += told.length
        if (refusal) counts.refused++
      } catch (cause) {
        throw new Error(`SEED=${seed}: ${cause}`, { cause })
      }
    }
    tally(`parts walked twice from seed ${all[0]}`, counts)
  },
  sized(120_000, 600_000),
)
