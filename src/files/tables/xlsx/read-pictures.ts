// Finds the pictures that lie over the cells of a sheet. Their content is not read.

import type { Refuse } from '#src/files/tables/source-error.ts'
import type { SourceLimits } from '#src/files/tables/source-limits.ts'
import type { ZipParts } from '#src/files/tables/zip/zip-parts.ts'
import { readRelationships } from './read-relationships.ts'
import { readXml } from './walk-xml.ts'

/** Returns, for each picture that is anchored at a cell of the sheet in `part`, the row in which it begins, from 1. */
export async function readPictures(
  zip: ZipParts,
  part: string,
  limits: SourceLimits,
  refuse: Refuse,
): Promise<number[]> {
  const rows: number[] = []
  let row = ''
  let inFrom = false
  const visitor = {
    open(name: string) {
      if (/Anchor$/.test(name)) row = ''
      if (name === 'from') inFrom = true
      if (name === 'pic' && /^\d{1,7}$/.test(row)) rows.push(Number(row) + 1)
    },
    text(text: string, element: string) {
      if (inFrom && element === 'row' && row.length < 8) row += text
    },
    close(name: string) {
      if (name === 'from') inFrom = false
    },
  }
  for (const { kind, target } of await readRelationships(zip, part, limits, refuse)) {
    if (kind === 'drawing' && zip.has(target))
      await readXml(zip.read(target, limits.keptPartBytes), visitor, limits, refuse)
  }
  return rows
}
