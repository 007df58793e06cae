// Reads the column titles of a course's sample sheet. The sample is treated as untrusted input, because its format is
// not documented. Pure.

import type { RawTable } from '#src/files/tables/source.ts'
import { refusalsOf, toRefusal } from '#src/files/tables/source-error.ts'
import { type SourceLimits, sourceLimits } from '#src/files/tables/source-limits.ts'
import { openWorkbook } from '#src/files/tables/xlsx/open-workbook.ts'
import { type OpenZip, openZip } from '#src/files/tables/zip/open-zip.ts'
import { readEntry } from '#src/files/tables/zip-source/gather-images.ts'
import { sortEntries } from '#src/files/tables/zip-source/sort-entries.ts'

const megabyte = 1024 * 1024
// The limits are stricter than for a user's file, because a sample is parsed on the main thread. A sample has a header
// and one or two rows.
const limits: SourceLimits = {
  ...sourceLimits,
  zipEntries: 500,
  archiveEntries: 500,
  inflatedBytes: 32 * megabyte,
  keptPartBytes: 8 * megabyte,
}
const refuse = refusalsOf('sample')
const reading = { limits, refuse }
const damaged = 'The sample is damaged.'

/**
 * Returns the first row that is not empty, from the workbook in `bytes` or from the only workbook in the ZIP in
 * `bytes`.
 * @throws SourceError
 */
export async function sampleColumns(bytes: Buffer): Promise<string[]> {
  if (bytes.subarray(0, 2).toString('latin1') !== 'PK')
    throw refuse('not-a-table', 'The sample is neither a workbook (.xlsx) nor a ZIP.')
  try {
    const zip = await openZip(bytes, reading)
    const table = await openWorkbook(zip.isWorkbook ? zip : await innerWorkbook(zip), undefined, reading)
    return await firstRow(table)
  } catch (error) {
    throw toRefusal(error, refuse, 'damaged', damaged)
  }
}

async function innerWorkbook(zip: OpenZip): Promise<OpenZip> {
  try {
    const { tables } = sortEntries(zip.entries)
    const [entry] = tables
    if (!entry || tables.length > 1)
      throw refuse('not-a-table', `The ZIP contains ${tables.length} workbooks instead of one.`)
    return await openZip(await readEntry(zip, entry, refuse), reading)
  } finally {
    zip.close()
  }
}

async function firstRow({ rows }: RawTable): Promise<string[]> {
  try {
    for await (const group of rows)
      for (const { cells } of group) {
        const titles = cells.map((cell) => cell.trim())
        while (titles.at(-1) === '') titles.pop()
        if (titles.length > 0) return titles
      }
  } finally {
    await rows.return()
  }
  throw refuse('header-missing', 'The sample has no filled row.')
}
