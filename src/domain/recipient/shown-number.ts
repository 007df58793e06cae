// Decides what the number of a workbook's cell means for a field: what the sheet shows, or what it stores. Pure.

import type { Breach } from './violation.ts'

export interface ShownCell {
  text: string
  /** The kind, with `number` for every kind of number. */
  kind: string | undefined
  breach: Breach | null
}

/**
 * A field that takes a number, a date or this very choice gets the number that is stored; any other gets the text that
 * the sheet shows.
 * @param kind `number:0.85` if `text` shows that number in another way; `unshown` if it is not certain what is shown
 */
export function readShownNumber(
  text: string,
  kind: string | undefined,
  takesStored: (stored: string) => boolean,
): ShownCell {
  const stored = kind === 'unshown' ? text : kind?.startsWith('number:') ? kind.slice('number:'.length) : undefined
  if (stored === undefined) return { text, kind, breach: null }
  if (takesStored(stored)) return { text: stored, kind: 'number', breach: null }
  return { text, kind: 'number', breach: kind === 'unshown' ? unshown : null }
}

const unshown: Breach = {
  rule: 'number_format',
  wrong: 'which the spreadsheet shows in a way that credsync cannot repeat exactly',
  remedy: 'Format the cell as text and enter the value again.',
}
