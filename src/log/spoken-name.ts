// A name that a stranger chose, such as that of a file, as it may stand in a sentence. Pure.

// Controls move the cursor of a terminal, and marks of writing direction turn a name around.
const unspeakable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** The name with `?` for what cannot be shown, cut to `longest` characters. */
export function spokenName(name: string, longest: number): string {
  const safe = [...name.replace(unspeakable, '?').toWellFormed()]
  return safe.length > longest ? `${safe.slice(0, longest).join('')}…` : safe.join('')
}
