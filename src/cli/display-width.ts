// How wide a text stands on a terminal, which is neither its length nor its number of letters. Pure.

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })
// Latin letters, each one column. Looking at letters one by one took 3 s for ten thousand rows.
const plain = /^[\x20-\x7e\xa1-\xac\xae-\u02ff]*$/
const unseen = /^[\p{Mn}\p{Me}\p{Cf}]+$/u
// The blocks that Unicode's East Asian Width calls wide or full-width, and what is an emoji by itself.
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}])/u
const shownAsEmoji = /\uFE0F/

/** In columns of a terminal: wide letters and emoji take two, marks on a letter none. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of letters.segment(text)) width += widthOf(segment)
  return width
}

/** The text cut to so many columns, with an ellipsis at its end when something is missing. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  if (plain.test(text)) return `${text.slice(0, Math.max(0, columns - 1))}…`
  let kept = ''
  let width = 1
  for (const { segment } of letters.segment(text)) {
    width += widthOf(segment)
    if (width > columns) break
    kept += segment
  }
  return `${kept}…`
}

/**
 * The text as one line that cannot steer a terminal: control characters, line ends and marks that turn the direction of writing become a
 * space. What is printed in a table was typed by somebody at the service.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim()
}

function widthOf(letter: string): number {
  if (unseen.test(letter)) return 0
  return wide.test(letter) || shownAsEmoji.test(letter) ? 2 : 1
}
