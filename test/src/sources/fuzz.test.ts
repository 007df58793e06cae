// Damaged files without number: each ends in rows or in a refusal, after a bounded number of steps. A failing run names
// its seed, and SEED=n repeats just that one.

import { expect, test } from 'vitest'
import { readHere } from '#src/sources/read-here.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import { cases } from '#test/src/sources/corpus/cases.ts'
import type { CorpusCase } from '#test/src/sources/corpus/corpus-case.ts'
import { type Outcome, readBytes } from '#test/src/sources/corpus/read-case.ts'
import { type Dice, openDice } from '#test/support/dice.ts'
import { seeds, sized, tally } from '#test/support/size.ts'
import { mutateBytes, mutateInside } from './fuzz/mutate.ts'

const runs = sized(500, 12_000)
// Reading mostly waits for the disk.
const atOnce = 4
// Larger files take their time in the table of sample files; damage in them finds nothing else.
const largest = 40_000
const limits: Partial<SourceLimits> = {
  inflatedBytes: 4_000_000,
  ratioFromBytes: 1_000_000,
  keptPartBytes: 1_000_000,
  sharedStringBytes: 4_000_000,
  rows: 20_000,
  xmlPieceBytes: 200_000,
  csvRecordBytes: 20_000,
}
const mostBatches = 20_000 / 500 + 1

interface Sample {
  of: CorpusCase
  bytes: Buffer
}

async function buildSamples(): Promise<Sample[]> {
  const built = await Promise.all(cases.map(async (each) => ({ of: each, bytes: Buffer.from(await each.build()) })))
  return built.filter(({ bytes }) => bytes.length <= largest)
}

function damage(sample: Sample, other: Sample, dice: Dice): Buffer {
  const inside = dice.chance(0.7) ? mutateInside(sample.bytes, dice, other.bytes) : undefined
  return inside ?? mutateBytes(sample.bytes, dice, other.bytes)
}

function expectEnd({ refusal, rows, batches, header }: Outcome) {
  expect(batches).toBeLessThanOrEqual(mostBatches)
  if (refusal) {
    expect(refusal.sentence).toMatch(/^[A-Z].*\.$/s)
    // What is said of an error that nobody foresaw: a fault of ours that calls itself the file's.
    expect(refusal.sentence).not.toContain('could not be read to its end')
  }
  if (!refusal) expect(header.length).toBeGreaterThan(0)
  for (const { cells, problem } of rows) {
    expect(cells.length).toBeGreaterThanOrEqual(header.length)
    if (!problem) expect(cells.every((cell) => cell.isWellFormed() && !cell.includes('\0'))).toBe(true)
  }
}

async function runSeed(seed: number, samples: Sample[]): Promise<Outcome> {
  const dice = openDice(seed)
  const sample = dice.pick(samples)
  const bytes = damage(sample, dice.pick(samples), dice)
  try {
    const outcome = await readBytes(bytes, sample.of.file ?? 'results.csv', readHere, { ...sample.of.options, limits })
    expectEnd(outcome)
    return outcome
  } catch (cause) {
    throw new Error(`SEED=${seed} (a file that ${sample.of.name}): ${cause}`, { cause })
  }
}

test(
  'a damaged file ends in rows or in a refusal',
  async () => {
    const samples = await buildSamples()
    const counts = { files: 0, taken: 0, refused: 0 }
    const all = seeds(runs)
    const waiting = all.values()
    const work = async () => {
      for (const seed of waiting) {
        const outcome = await runSeed(seed, samples)
        counts.files++
        counts[outcome.refusal ? 'refused' : 'taken']++
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    tally(`damaged files from seed ${all[0]}`, counts)
  },
  sized(120_000, 600_000),
)
