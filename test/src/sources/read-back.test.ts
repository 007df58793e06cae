// Tables drawn by chance and written in any of the ways there are come back cell for cell. A failing run prints its seed
// and path; CREDSYNC_TEST_FIRST_SEED or SEED chooses another one.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readHere } from '#src/sources/read-here.ts'
import { readBytes } from '#test/src/sources/corpus/read-case.ts'
import { anyCsv } from '#test/src/sources/fuzz/any-csv.ts'
import { anySheet } from '#test/src/sources/fuzz/any-sheet.ts'
import { seeds, sized, tally } from '#test/support/size.ts'

const [seed = 1] = seeds(1)
const numRuns = sized(80, 3_000)
const seconds = sized(120_000, 600_000)

test(
  'a CSV with any delimiter, quoting, line ends and encoding reads back as it was meant',
  async () => {
    const property = fc.asyncProperty(anyCsv, async ({ bytes, options, header, rows }) => {
      const outcome = await readBytes(bytes, 'any.csv', readHere, options)
      expect(outcome.refusal?.message).toBeUndefined()
      expect([outcome.header, ...outcome.rows.map((row) => row.cells)]).toEqual([header, ...rows])
      expect(outcome.rows.filter((row) => row.problem)).toEqual([])
    })
    await fc.assert(property, { seed, numRuns })
    tally(`CSV read back from seed ${seed}`, { tables: numRuns })
  },
  seconds,
)

test(
  'a workbook with any kind of texts, references, prefixes and packing reads back as it was meant',
  async () => {
    const property = fc.asyncProperty(anySheet, async ({ bytes, rows }) => {
      const outcome = await readBytes(bytes, 'any.xlsx', readHere)
      expect(outcome.refusal?.message).toBeUndefined()
      expect(outcome.rows.map((row) => row.cells)).toEqual(rows)
      expect(outcome.rows.filter((row) => row.problem)).toEqual([])
    })
    await fc.assert(property, { seed, numRuns })
    tally(`workbooks read back from seed ${seed}`, { tables: numRuns })
  },
  seconds,
)
