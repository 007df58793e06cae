// Values as error texts may show them: enough to find the cell, too little to read the person.

/**
 * The value masked: `j…@e….org` for e-mail addresses, otherwise its first letter and its length. A value of up to three
 * characters shows its length alone. The result never contains a value that is longer than three characters.
 */
export function maskValue(value: string): string {
  if (value === '') return '(empty)'
  const masked = isAddress(value) ? maskAddress(value) : firstLetter(value)
  return masked.includes(value) && value.length > 3 ? '…' : masked
}

/** The shape of a value, for dates: digits as 9, other signs as x, so that `31.13.1999` shows as 99.99.9999. */
export function maskShape(value: string): string {
  const shape = value.replace(/\p{N}/gu, '9').replace(/[^\p{N}\s.,:;/+-]/gu, 'x')
  // A value that is its own shape, such as 9999-99-99, would show itself. One that long is no date, and says more than a shape.
  return shape.length > 20 || shape.includes(value) ? maskValue(value) : shape
}

/** The shape in words that nobody takes for the value itself: `holds 99.99.9999` read as if the cell held that. */
export function speakShape(value: string): string {
  const shape = maskShape(value)
  if (shape === maskValue(value)) return shape
  const digits = shape.includes('9') ? ['each 9 stands for a digit'] : []
  const others = shape.includes('x') ? [`each x ${shape.includes('9') ? '' : 'stands '}for a letter or sign`] : []
  return `a value written like ${shape} (${[...digits, ...others].join(', ')})`
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

/** The first character, unless it is one that can't be shown. */
function firstOf(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0)
  return /^[\p{C}\p{Z}\p{M}\uFFFD]/u.test(first) ? '' : first
}

/** How many characters (code points) a text has. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
