// The tokenizer and saxes agree on any XML: the same elements and texts in the same order, and the same refusal at the
// same position, wherever the chunks are split. A failing run names its seed, and SEED=n repeats only that run.

import { describe, expect, test } from 'vitest'
import { refusalsOf, SourceError } from '#src/files/tables/source-error.ts'
import { type SourceLimits, sourceLimits } from '#src/files/tables/source-limits.ts'
import { openXmlDecoder } from '#src/files/tables/xlsx/decode-xml.ts'
import { PlainXml } from '#src/files/tables/xlsx/plain-xml.ts'
import { openSaxes } from '#src/files/tables/xlsx/saxes-walker.ts'
import { walkXml } from '#src/files/tables/xlsx/walk-xml.ts'
import type { XmlVisitor } from '#src/files/tables/xlsx/xml-visitor.ts'
import { type OpenWalker, openXmlWalker } from '#src/files/tables/xlsx/xml-walker.ts'
import { cases } from '#test/src/files/tables/corpus/cases.ts'
import { mutateBytes, mutateValues } from '#test/src/files/tables/fuzz/mutate.ts'
import { unpack } from '#test/src/files/tables/fuzz/unpack.ts'
import { type Dice, openDice } from '#test/support/seeded-random.ts'
import { seeds, sized, tally } from '#test/support/suite-size.ts'
import { strangeXml, usualXml } from './xml-cases.ts'

const runs = sized(1_500, 60_000)
const limits: SourceLimits = { ...sourceLimits, xmlPieceBytes: 100_000 }
const refuse = refusalsOf('results.xlsx')

type Call = [what: string, ...string[]] | ['open', string, Record<string, string>, string]

interface Walk {
  calls: Call[]
  refusal?: string
}

async function walk(bytes: Buffer, cuts: number[], openWalker: OpenWalker): Promise<Walk> {
  const calls: Call[] = []
  const visitor: XmlVisitor = {
    open: (name, attributes, parent) => calls.push(['open', name, { ...attributes }, parent]),
    // Only one of the two reports blanks around the root, and nothing uses these.
    text: (text, element) => element !== '' && calls.push(['text', text, element]),
    close: (name, parent) => calls.push(['close', name, parent]),
  }
  try {
    for await (const _ of walkXml(piecesOf(bytes, cuts), visitor, limits, refuse, openWalker));
    return { calls }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return { calls, refusal: `${error.code}: ${error.sentence}` }
  }
}

async function* piecesOf(bytes: Buffer, cuts: number[]) {
  const borders = [0, ...cuts, bytes.length]
  for (let index = 1; index < borders.length; index++) yield bytes.subarray(borders[index - 1], borders[index])
}

async function expectSame(bytes: Buffer, cuts: number[] = []): Promise<Walk> {
  const result = await walk(bytes, cuts, openXmlWalker)
  expect(result).toEqual(await walk(bytes, cuts, openSaxes))
  return result
}

/** Returns every position at which to split the bytes, or every thousandth position of a long text. */
const everyByte = (bytes: Buffer) => {
  const step = bytes.length > 5_000 ? 1_000 : 1
  return Array.from({ length: Math.max(0, Math.ceil(bytes.length / step) - 1) }, (_, index) => (index + 1) * step)
}
const titled = (xml: string[]): [string, string][] => xml.map((each) => [each.slice(0, 60), each])

describe('XML that spreadsheet programs write', () => {
  test.each(titled(usualXml))('gives the same result as with saxes: %s', async (_, xml) => {
    const bytes = Buffer.from(xml)
    const whole = await expectSame(bytes)
    expect(whole.refusal).toBeUndefined()
    expect(await expectSame(bytes, everyByte(bytes))).toEqual(whole)
  })

  test.each(titled(usualXml))('is read without saxes: %s', (_, xml) => {
    const plain = new PlainXml({}, limits, refuse)
    const decoder = openXmlDecoder()
    expect(plain.write(decoder.decode(Buffer.from(xml)))).toBe(true)
    expect(plain.write(decoder.end())).toBe(true)
    expect(plain.end()).toBe(true)
  })
})

describe('unusual XML', () => {
  test.each(titled(strangeXml))('ends as with saxes: %s', async (_, xml) => {
    const bytes = Buffer.from(xml)
    await expectSame(bytes)
    await expectSame(bytes, everyByte(bytes))
  })
})

test.each(['utf16le', 'utf8'] as const)(
  'XML in %s with a byte order mark gives the same result as with saxes',
  async (encoding) => {
    const bytes = Buffer.from(`\ufeff<a>é\r\n\r</a>`, encoding)
    const whole = await expectSame(bytes)
    expect(whole.calls).toContainEqual(['text', 'é\n\n', 'a'])
    // The byte order mark is recognized only in the first chunk.
    expect(await expectSame(bytes, everyByte(bytes).slice(2))).toEqual(whole)
  },
)

/** Returns the XML of the sample workbooks, except long parts, and the samples in xml-cases.ts. */
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
  'the parts of all sample workbooks, damaged and split anywhere, give the same result as with saxes',
  async () => {
    const parts = await sampleParts()
    const counts = { parts: 0, refused: 0, pieces: 0 }
    const all = seeds(runs)
    for (const seed of all) {
      const dice = openDice(seed)
      const bytes = damage(dice.pick(parts), dice.pick(parts), dice)
      const cuts = Array.from({ length: dice.between(0, 4) }, () => dice.between(0, bytes.length)).sort((a, b) => a - b)
      try {
        const { calls, refusal } = await expectSame(bytes, cuts)
        counts.parts++
        counts.pieces += calls.length
        if (refusal) counts.refused++
      } catch (cause) {
        throw new Error(`SEED=${seed}: ${cause}`, { cause })
      }
    }
    tally(`parts walked twice from seed ${all[0]}`, counts)
  },
  sized(120_000, 600_000),
)
