// Makes an untrusted name, such as a file name, safe to show in a sentence. Pure.

// Control characters move a terminal's cursor, and direction marks reverse a name.
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Returns the name with `?` in place of unprintable characters, cut to `maxLength` characters. */
export function safeName(name: string, maxLength: number): string {
  const safe = [...name.replace(unsafe, '?').toWellFormed()]
  return safe.length > maxLength ? `${safe.slice(0, maxLength).join('')}…` : safe.join('')
}
