// Reads many damaged files: each ends in rows or in a refusal after a bounded number of steps. A failing run names its
// seed, and SEED=n repeats only that run.

import { expect, test } from 'vitest'
import type { SourceLimits } from '#src/files/tables/source-limits.ts'
import { readInPlace } from '#test/support/read-source.ts'
import { type Dice, openDice } from '#test/support/seeded-random.ts'
import { seeds, sized, tally } from '#test/support/suite-size.ts'
import { cases } from './corpus/cases.ts'
import type { CorpusCase } from './corpus/corpus-case.ts'
import { type Outcome, readBytes } from './corpus/read-case.ts'
import { mutateBytes, mutateInside } from './fuzz/mutate.ts'

const runs = sized(500, 12_000)
// Several at a time, because reading mostly waits for the disk.
const concurrentFiles = 4
// Larger files take too long, and damage to them reveals nothing new.
const maxSampleBytes = 40_000
const limits: Partial<SourceLimits> = {
  inflatedBytes: 4_000_000,
  ratioFromBytes: 1_000_000,
  keptPartBytes: 1_000_000,
  sharedStringBytes: 4_000_000,
  rows: 20_000,
  xmlPieceBytes: 200_000,
  csvRecordBytes: 20_000,
}
const maxBatches = 20_000 / 500 + 1

interface Sample {
  corpusCase: CorpusCase
  bytes: Buffer
}

async function buildSamples(): Promise<Sample[]> {
  const built = await Promise.all(
    cases.map(async (testCase) => ({ corpusCase: testCase, bytes: Buffer.from(await testCase.build()) })),
  )
  return built.filter(({ bytes }) => bytes.length <= maxSampleBytes)
}

function damage(sample: Sample, other: Sample, dice: Dice): Buffer {
  const inside = dice.chance(0.7) ? mutateInside(sample.bytes, dice, other.bytes) : undefined
  return inside ?? mutateBytes(sample.bytes, dice, other.bytes)
}

function expectEnd({ refusal, rows, batches, header }: Outcome) {
  expect(batches).toBeLessThanOrEqual(maxBatches)
  if (refusal) {
    expect(refusal.sentence).toMatch(/^[A-Z].*\.$/s)
    // The message for an unexpected error, which would be a bug in credsync reported as a fault of the file.
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
    const outcome = await readBytes(bytes, sample.corpusCase.file ?? 'results.csv', readInPlace, {
      ...sample.corpusCase.options,
      limits,
    })
    expectEnd(outcome)
    return outcome
  } catch (cause) {
    throw new Error(`SEED=${seed} (a file that ${sample.corpusCase.name}): ${cause}`, { cause })
  }
}

test(
  'a damaged file results in rows or in a refusal',
  async () => {
    const samples = await buildSamples()
    const counts = { files: 0, taken: 0, refused: 0 }
    const all = seeds(runs)
    const remaining = all.values()
    const work = async () => {
      for (const seed of remaining) {
        const outcome = await runSeed(seed, samples)
        counts.files++
        counts[outcome.refusal ? 'refused' : 'taken']++
      }
    }
    await Promise.all(Array.from({ length: concurrentFiles }, work))
    tally(`damaged files from seed ${all[0]}`, counts)
  },
  sized(120_000, 600_000),
)
