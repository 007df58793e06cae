// Cleans a value: removes invisible characters at its ends and normalizes it to NFC. No other change is ever made to a
// value. Pure.

import { invisibleKind } from './invisible-characters.ts'

// Matches nearly every cell of most files; these need no character-by-character check.
const beginsAndEndsPlainly = /^[!-~\u00c0-\u0250](?:.*[!-~\u00c0-\u0250])?$/s

/**
 * Normalizes text to NFC and removes white space and invisible characters at its ends. The result is empty if nothing
 * visible is left. A joiner or variation selector after a letter is kept, because it belongs to the spelling of names
 * in several scripts. Inner spaces, case and everything else are kept.
 */
export function cleanText(raw: string): string {
  const normal = raw.normalize('NFC')
  if (beginsAndEndsPlainly.test(normal)) return normal
  // Scans from both ends, because a regular expression for the end of a string takes quadratic time on a cell full of
  // spaces.
  let start = 0
  let end = normal.length
  while (start < end && isInvisible(characterAt(normal, start))) start += characterAt(normal, start).length
  while (end > start) {
    const last = characterBefore(normal, end)
    const before = end - last.length
    if (!isInvisible(last) || (invisibleKind(last) === 'shaping' && canBeShaped(normal.slice(start, before)))) break
    end = before
  }
  return normal.slice(start, end)
}

function isInvisible(character: string): boolean {
  return /\s/u.test(character) || invisibleKind(character) !== null
}

/** @returns true if `text` ends in a letter that a shaping mark after it can shape */
function canBeShaped(text: string): boolean {
  const last = characterBefore(text, text.length)
  return /[\p{L}\p{M}]/u.test(last) && invisibleKind(last) === null
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0)
}

function characterBefore(text: string, end: number): string {
  const pair = text.slice(Math.max(0, end - 2), end)
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(pair) ? pair : text.slice(end - 1, end)
}
