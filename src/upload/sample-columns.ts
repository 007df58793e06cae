// The columns of a course's sample, read as a stranger's file: the service does not show what it sends.

import { readWhole } from '#src/sources/archive/gather-images.ts'
import { isPackage } from '#src/sources/archive/is-package.ts'
import { sortEntries } from '#src/sources/archive/sort-entries.ts'
import type { RawTable } from '#src/sources/source.ts'
import { asRefusal, type Refuse, refusalsOf } from '#src/sources/source-error.ts'
import { type SourceLimits, sourceLimits } from '#src/sources/source-limits.ts'
import { openWorkbook } from '#src/sources/xlsx/open-workbook.ts'
import { archiveKind } from '#src/sources/zip/check-entries.ts'
import { type OpenZip, openZip } from '#src/sources/zip/open-zip.ts'

const megabyte = 1024 * 1024
// Read on the main thread, unlike a registrar's files: a sample has a header and a row or two.
const limits: SourceLimits = {
  ...sourceLimits,
  zipEntries: 500,
  archiveEntries: 500,
  inflatedBytes: 32 * megabyte,
  keptPartBytes: 8 * megabyte,
}
const bad = 'The sample is damaged.'

/** The first filled row of the workbook in `bytes`, or of the only one in the ZIP in `bytes`. @throws SourceError */
export async function sampleColumns(bytes: Buffer): Promise<string[]> {
  const refuse = refusalsOf('sample')
  if (bytes.subarray(0, 2).toString('latin1') !== 'PK')
    throw refuse('not-a-table', 'It is neither a workbook (.xlsx) nor a ZIP.')
  try {
    const zip = await openZip(bytes, limits, refuse)
    const table = await openWorkbook(isPackage(zip) ? zip : await innerWorkbook(zip, refuse), undefined, limits, refuse)
    return await firstRow(table, refuse)
  } catch (error) {
    throw asRefusal(error, refuse, 'damaged', bad)
  }
}

async function innerWorkbook(zip: OpenZip, refuse: Refuse): Promise<OpenZip> {
  try {
    zip.check(archiveKind(limits))
    const { tables } = sortEntries(zip.entries)
    const [entry] = tables
    if (!entry || tables.length > 1) throw refuse('not-a-table', `The ZIP holds ${tables.length} workbooks, not one.`)
    return await openZip(await readWhole(zip, entry, refuse), limits, refuse)
  } finally {
    zip.close()
  }
}

async function firstRow({ rows }: RawTable, refuse: Refuse): Promise<string[]> {
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
  throw refuse('header-missing', 'It has no filled row.')
}
