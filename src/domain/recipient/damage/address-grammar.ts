// The one way to write an e-mail address. Mail programs accept others for the same inbox (<a@x.org>, mailto:a@x.org,
// "a"@x.org, a@x.org.), and each of them would be another person, with a second credential. Pure.

import { withoutUnseen } from '../unseen-marks.ts'

// < > ( ) [ ] , ; : | and a blank are signs of mail programs. In an address they only stand within quotation marks.
const plain = /^[^\s<>()[\],;:\\|"@\p{C}]+$/u
const quoted = /^"(?:[^"\\\p{Cc}]|\\["\\])+"$/u
const escapedByte = /%[\da-f]{2}/i
// xn-- is another way to write a domain of other letters.
const label = /^(?!xn--)[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/iu
// Scripts that have letters which look like those of another.
const alike = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
)

/** @returns true if `value` has the form of one address, written in the one way */
export function isPlainAddress(value: string): boolean {
  const at = value.lastIndexOf('@')
  return (
    at > 0 &&
    isLocalPart(value.slice(0, at)) &&
    value
      .slice(at + 1)
      .split('.')
      .every((part) => label.test(part))
  )
}

/** @returns true if the address has letters that look like others, or that nobody sees */
export function hasDeceptiveLetters(value: string): boolean {
  if (withoutUnseen(value) !== value || value.normalize('NFKC') !== value) return true
  return value.split(/[^\p{L}\p{M}]+/u).some((part) => alike.filter((script) => script.test(part)).length > 1)
}

function isLocalPart(local: string): boolean {
  // Quotation marks that nothing in them needs are another way to write the same address.
  if (quoted.test(local)) return !isDotAtom(local.slice(1, -1))
  return isDotAtom(local)
}

function isDotAtom(local: string): boolean {
  return plain.test(local) && !/^[.']|\.$|\.\./.test(local) && !escapedByte.test(local)
}
