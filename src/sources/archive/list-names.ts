// Names of files inside a ZIP, as they may stand in a sentence: a stranger chose them.

import { spokenName } from '#src/log/spoken-name.ts'

const shown = 5
const longest = 60

/** `a.png, b.png and 3 more`; at most five names, each cut to 60 characters. */
export function listNames(names: readonly string[]): string {
  const words = names.slice(0, shown).map((name) => spokenName(name, longest))
  if (names.length > shown) return `${words.join(', ')} and ${names.length - shown} more`
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? '')
}
