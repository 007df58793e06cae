// The only change that is made to a value: what nobody sees at its ends goes, and its letters take their usual form.

// White space as JavaScript trims it (NBSP and the byte order mark among it), and the zero-width space, which web pages and
// spreadsheets leave at the ends of copied cells. Joiners stay: they belong to the spelling of names in several scripts.
const unseen = /[\s\u200B]/u
// What has no look of its own, in a text that is nothing else: marks of direction, joiners, soft hyphens, fillers, the empty Braille sign.
const seen = /[^\p{Default_Ignorable_Code_Point}\s\u2800]/u

/**
 * The text in NFC, without white space, zero-width spaces and byte order marks at its ends; empty when nothing in it can be seen.
 * Spaces inside, case and everything else stay as they are.
 */
export function cleanText(given: string): string {
  const normal = given.normalize('NFC')
  // Counted from both ends: a pattern for the end of a text takes quadratic time on a cell full of spaces.
  let start = 0
  let end = normal.length
  while (start < end && unseen.test(normal.charAt(start))) start++
  while (end > start && unseen.test(normal.charAt(end - 1))) end--
  const text = normal.slice(start, end)
  return seen.test(text) ? text : ''
}
