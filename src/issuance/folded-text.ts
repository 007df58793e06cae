// Two texts that a person would call the same. Here and not in the database: there letters lose their case as its locale says, and that of a
// cluster may know A to Z only.

import { withoutUnseen } from '#src/recipients/unseen-marks.ts'

/** Without differences of case, width, white space, and marks that nobody sees. */
export function foldedText(text: string): string {
  return withoutUnseen(text).normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** The same for two spellings of one name. With something between its parts: Ann Abell is not Anna Bell. */
export function foldedName(parts: readonly string[]): string {
  return parts.map(foldedText).join('|')
}
