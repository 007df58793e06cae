// Which characters no cell and no column name may hold.

// Controls other than tab and line ends (C1 too: they appear when an encoding was taken for another one), halves of
// surrogate pairs, what Unicode says is never a character, and U+FFFD. One cheap test for every cell: a valid emoji is
// found too, because halves are told from pairs only afterwards.
const suspicious =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being looked for
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffd-\uffff]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]/
const turning = /[\u202a-\u202e\u2066-\u2069]/

export type UnfitCharacters = 'control' | 'turning' | 'lost'

/**
 * What is wrong with the characters of `text`, if anything: `control` cannot be shown or stored, `turning` makes letters
 * appear in another order than they are in, `lost` is the mark that a program before us put for a letter it could not read.
 */
export function findUnfit(text: string): UnfitCharacters | undefined {
  if (!suspicious.test(text)) return undefined
  if (controls.test(text) || !text.isWellFormed()) return 'control'
  if (turning.test(text)) return 'turning'
  return text.includes('\ufffd') ? 'lost' : undefined
}
