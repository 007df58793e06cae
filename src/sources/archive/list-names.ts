// Names of files inside a ZIP, as they may stand in a sentence: a stranger chose them.

const shown = 5
const longest = 60
// Controls move the cursor of a terminal, and marks of writing direction turn a name around.
const unspeakable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** `a.png, b.png and 3 more`; at most five names, each cut to 60 characters. */
export function listNames(names: readonly string[]): string {
  const words = names.slice(0, shown).map(speakName)
  if (names.length > shown) return `${words.join(', ')} and ${names.length - shown} more`
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? '')
}

function speakName(name: string): string {
  const safe = [...name.replace(unspeakable, '?').toWellFormed()]
  return safe.length > longest ? `${safe.slice(0, longest).join('')}…` : safe.join('')
}
