// Which passwords may be used. Those that somebody who guesses tries first are refused: those made of common words,
// rows of keys, or the name of the person or the product. Pure.

import { commonPasswords, commonWords, rowsOfKeys } from './guessable-passwords.ts'
import { maxPasswordLength, minPasswordLength } from './password-hash.ts'

const product = 'credsync'
/** A good password consists of at least this many characters and pieces. Twelve random characters have about eleven. */
const fewestParts = 8

/**
 * @param name of the person
 * @returns a sentence; null if the password may be used
 */
export function passwordFault(password: string, again: string, name: string): string | null {
  const length = [...password].length
  if (length < minPasswordLength)
    return `The password has ${length} characters; it must have ${minPasswordLength} or more.`
  if (length > maxPasswordLength) return `The password has more than ${maxPasswordLength} characters.`
  const letters = inLetters(password)
  const joined = letters.replace(/[^\p{L}]+/gu, '')
  const names = [...name.split(/[^\p{L}]+/u), name, product].map(inLetters).filter((each) => each.length > 2)
  if (names.some((each) => letters.includes(each) || joined.includes(each)))
    return 'The password contains your name or that of this program, which attackers try first. Choose another one.'
  if (commonPasswords.has(letters) || commonPasswords.has(password.toLowerCase()) || parts(password) < fewestParts)
    return 'The password consists of what attackers try first: common words, keyboard rows or repetitions. Choose another one, such as five words that have nothing to do with each other.'
  return password === again ? null : 'The two passwords differ.'
}

/** Signs that are often written instead of letters, and these letters in the same order. */
const signs = '013457@$!'
const lettersMeant = 'oieastasi'
/** In lower case, with letters for the digits and signs that are often written instead. As long as the text. */
const inLetters = (text: string): string =>
  [...text.normalize('NFKC').toLowerCase()].map((each) => lettersMeant[signs.indexOf(each)] ?? each).join('')

const pieces = [...rowsOfKeys, ...rowsOfKeys.map((row) => [...row].reverse().join(''))]

/** Counts what a password consists of: each character, row of keys and year once, each common word once, as two. */
function parts(password: string): number {
  const text = password.normalize('NFKC')
  const raw = text.toLowerCase()
  const letters = inLetters(password)
  const [single, words] = [new Set<string>(), new Set<string>()]
  for (let at = 0; at < raw.length; ) {
    const [row, word] = [rowAt(raw, at), wordAt(letters, at)]
    if (word.length >= row.length && word !== '') words.add(word)
    else single.add(row || text.charAt(at))
    at += Math.max(row.length, word.length, 1)
  }
  return single.size + 2 * words.size
}

const wordAt = (text: string, at: number): string => longest(commonWords.filter((word) => text.startsWith(word, at)))

/** The longest part of a row of keys that begins here, of three keys or more, or a year. */
function rowAt(text: string, at: number): string {
  let end = at + 3
  while (end <= text.length && pieces.some((row) => row.includes(text.slice(at, end)))) end++
  return longest([end > at + 3 ? text.slice(at, end - 1) : '', /^(?:19|20)\d\d/.exec(text.slice(at))?.[0] ?? ''])
}

const longest = (texts: readonly string[]): string => texts.reduce((a, b) => (b.length > a.length ? b : a), '')
