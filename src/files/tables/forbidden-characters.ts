// Finds characters that no cell and no column name may contain. Pure.

// Control characters except tab and line ends (C1 too, which appear when an encoding was mistaken for another),
// unpaired surrogates, Unicode noncharacters and U+FFFD. A single cheap test for every cell. It also matches valid
// emoji, because it does not distinguish paired surrogates; the exact tests follow.
const suspicious =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being looked for
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffd-\uffff]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]/
const reordering = /[\u202a-\u202e\u2066-\u2069]/

export type ForbiddenCharacters = 'control' | 'reordering' | 'lost'

/**
 * Returns the first kind of forbidden characters in `text`. `control` characters cannot be displayed or stored,
 * `reordering` characters display letters in another order than they are stored, and `lost` is the replacement
 * character that an earlier program wrote for a letter it could not read.
 */
export function findForbidden(text: string): ForbiddenCharacters | undefined {
  if (!suspicious.test(text)) return undefined
  if (controls.test(text) || !text.isWellFormed()) return 'control'
  if (reordering.test(text)) return 'reordering'
  return text.includes('\ufffd') ? 'lost' : undefined
}
