// Measures and cuts text by the number of columns that it takes on a terminal, which differs from its length and from
// its number of characters. Also neutralizes characters that control a terminal. Pure.

import { oneLine } from '#src/platform/one-line.ts'

// Created for the first text that needs it, because it takes 3 MB.
let segmenter: Intl.Segmenter | undefined
// Latin letters, each one column wide. Without this check, measuring each letter took 3 s for ten thousand rows.
const singleWidth = /^[\x20-\x7e\xa1-\xac\xae-\u02ff]*$/
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]+$/u
// The blocks that Unicode's East Asian Width defines as wide or full-width, and characters that are emoji by default.
const doubleWidth =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}])/u
const shownAsEmoji = /\uFE0F/

/** Returns the width in terminal columns: wide letters and emoji take two, combining marks none. */
export function displayWidth(text: string): number {
  if (singleWidth.test(text)) return text.length
  let width = 0
  for (const segment of lettersOf(text)) width += widthOf(segment)
  return width
}

/** Cuts the text to a number of columns, with an ellipsis at the end if anything was cut off. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  if (singleWidth.test(text)) return `${text.slice(0, Math.max(0, columns - 1))}…`
  let kept = ''
  let width = 1
  for (const segment of lettersOf(text)) {
    width += widthOf(segment)
    if (width > columns) break
    kept += segment
  }
  return `${kept}…`
}

/** Removes the control characters of a text of several lines, and keeps its line ends and indentation. */
export function terminalSafeText(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, ' ')
}

/** Keeps the indentation of the line and turns the rest into one line, so that text from outside cannot add lines. */
export function indentedLine(line: string): string {
  return `${/^ */.exec(line)?.[0]}${oneLine(line)}`
}

function* lettersOf(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) yield segment
}

function widthOf(letter: string): number {
  if (zeroWidth.test(letter)) return 0
  return doubleWidth.test(letter) || shownAsEmoji.test(letter) ? 2 : 1
}
