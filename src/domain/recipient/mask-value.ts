// Masks values for error messages: they show enough to find the cell, and too little to identify the person. Pure.

/**
 * Masks a value: an e-mail address becomes `j…@e….org`, any other value is reduced to its first letter and its length.
 * Of a value of up to three characters, only the length is shown. The result never contains a value that is longer than
 * three characters.
 */
export function maskValue(value: string): string {
  if (value === '') return '(empty)'
  const masked = isAddress(value) ? maskAddress(value) : firstLetter(value)
  return masked.includes(value) && value.length > 3 ? '…' : masked
}

/**
 * Reduces a value to its shape, for dates: digits become 9 and other characters x, so that `31.13.1999` shows as
 * 99.99.9999.
 */
export function maskShape(value: string): string {
  const shape = value.replace(/\p{N}/gu, '9').replace(/[^\p{N}\s.,:;/+-]/gu, 'x')
  // A value that equals its shape, such as 9999-99-99, would be shown in full. A long shape is not a date and would
  // reveal too much.
  return shape.length > 20 || shape.includes(value) ? maskValue(value) : shape
}

/** Describes the shape in words, because “holds 99.99.9999” would read as if the cell contained exactly that. */
export function describeShape(value: string): string {
  const shape = maskShape(value)
  if (shape === maskValue(value)) return shape
  return `a value written like ${shape} (9 for a digit, x for a letter or symbol)`
}

/**
 * Shows only the first letter beyond ASCII, which reveals a wrong encoding: `“…ü…”`. Null if the value has none or is
 * so short that a letter would show much of it.
 */
export function maskBeyondAscii(value: string): string | null {
  const [letter] = /[^\0-\x7f\P{L}]/u.exec(value) ?? []
  if (letter === undefined || countCharacters(value) <= 3) return null
  return `“${value.startsWith(letter) ? '' : '…'}${letter}…”`
}

function isAddress(value: string): boolean {
  return /^[^\s@]+@[^\s@]+$/u.test(value)
}

function maskAddress(address: string): string {
  const [local = '', domain = ''] = address.split('@')
  const ending = /^[^.].*(\.[a-z]{2,6})$/i.exec(domain)?.[1] ?? ''
  return `${firstOf(local)}…@${firstOf(domain)}…${ending}`
}

function firstLetter(value: string): string {
  const length = countCharacters(value)
  const first = length > 3 ? firstOf(value) : ''
  return `${first}… (${length} ${length === 1 ? 'character' : 'characters'})`
}

/** @returns the first character, or an empty string if it cannot be displayed */
function firstOf(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0)
  return /^[\p{C}\p{Z}\p{M}\uFFFD]/u.test(first) ? '' : first
}

/** Counts the characters (code points) of a string. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
