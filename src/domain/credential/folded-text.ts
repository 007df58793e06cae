// Folds text so that strings which look the same to a person are equal. This is done here and not in the database,
// because lowercasing there depends on the locale of the cluster, which may cover only A to Z. Pure.

import { withoutUnseen } from '#src/domain/recipient/unseen-marks.ts'

/** Removes differences of case, width, white space and invisible characters. */
export function foldedText(text: string): string {
  return withoutUnseen(text).normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Folds the parts of a name and joins them with a separator, so that Ann Abell is not Anna Bell. */
export function foldedName(parts: readonly string[]): string {
  return parts.map(foldedText).join('|')
}
