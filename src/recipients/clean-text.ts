// The only change that is made to a value: what nobody sees at its ends goes, and its letters take their usual form.

import { unseenKind, withoutUnseen } from './unseen-marks.ts'

// Nearly every cell of most files, which then need not be walked.
const beginsAndEndsPlainly = /^[!-~\u00c0-\u0250](?:.*[!-~\u00c0-\u0250])?$/s

/**
 * The text in NFC, without white space and marks that nobody sees at its ends; empty when nothing in it can be seen. A joiner, or a sign that
 * chooses a form of a letter, stays behind its letter: it belongs to the spelling of names in several scripts. Spaces inside, case and everything
 * else stay as they are.
 */
export function cleanText(given: string): string {
  const normal = given.normalize('NFC')
  if (beginsAndEndsPlainly.test(normal)) return normal
  // Counted from both ends: a pattern for the end of a text takes quadratic time on a cell full of spaces.
  let start = 0
  let end = normal.length
  while (start < end && isUnseen(characterAt(normal, start))) start += characterAt(normal, start).length
  while (end > start) {
    const last = characterBefore(normal, end)
    const before = end - last.length
    if (!isUnseen(last) || (unseenKind(last) === 'shaping' && follows(normal.slice(start, before)))) break
    end = before
  }
  const text = normal.slice(start, end)
  return withoutUnseen(text).trim() === '' ? '' : text
}

function isUnseen(character: string): boolean {
  return /\s/u.test(character) || unseenKind(character) !== null
}

/** Whether a shaping mark behind `text` has a letter to shape. */
function follows(text: string): boolean {
  const last = characterBefore(text, text.length)
  return /[\p{L}\p{M}]/u.test(last) && unseenKind(last) === null
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0)
}

function characterBefore(text: string, end: number): string {
  const pair = text.slice(Math.max(0, end - 2), end)
  return pair.length === 2 && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(pair) ? pair : text.slice(end - 1, end)
}
