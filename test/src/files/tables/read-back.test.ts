// Random tables that are written in any dialect are read back without a changed cell. A failing run prints its seed and
// path; CREDSYNC_TEST_FIRST_SEED or SEED chooses another seed.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readInPlace } from '#test/support/read-source.ts'
import { seeds, sized, tally } from '#test/support/suite-size.ts'
import { readBytes } from './corpus/read-case.ts'
import { anyCsv } from './fuzz/any-csv.ts'
import { anySheet } from './fuzz/any-sheet.ts'

const [seed = 1] = seeds(1)
const numRuns = sized(80, 3_000)
const timeoutMs = sized(120_000, 600_000)

test(
  'a CSV with any delimiter, quoting, line endings and encoding reads back unchanged',
  async () => {
    const property = fc.asyncProperty(anyCsv, async ({ bytes, options, header, rows }) => {
      const outcome = await readBytes(bytes, 'any.csv', readInPlace, options)
      expect(outcome.refusal?.message).toBeUndefined()
      expect([outcome.header, ...outcome.rows.map((row) => row.cells)]).toEqual([header, ...rows])
      expect(outcome.rows.filter((row) => row.problem)).toEqual([])
    })
    await fc.assert(property, { seed, numRuns })
    tally(`CSV read back from seed ${seed}`, { tables: numRuns })
  },
  timeoutMs,
)

test(
  'a workbook with any kind of strings, references, prefixes and compression reads back unchanged',
  async () => {
    const property = fc.asyncProperty(anySheet, async ({ bytes, rows }) => {
      const outcome = await readBytes(bytes, 'any.xlsx', readInPlace)
      expect(outcome.refusal?.message).toBeUndefined()
      expect(outcome.rows.map((row) => row.cells)).toEqual(rows)
      expect(outcome.rows.filter((row) => row.problem)).toEqual([])
    })
    await fc.assert(property, { seed, numRuns })
    tally(`workbooks read back from seed ${seed}`, { tables: numRuns })
  },
  timeoutMs,
)
