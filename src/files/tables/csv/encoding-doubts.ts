// Checks the encoding of a file by the words that it produces, because names that were read in a wrong encoding must
// not be issued. Pure.

import type { WordLines } from './gather-words.ts'
import { hasUsualCase } from './has-usual-case.ts'
import { misdecodingIn } from './misdecoded-words.ts'

export interface Doubt {
  /**
   * The line of the text, counted from 1. A spreadsheet program may show another number if cells span several lines.
   */
  line: number
  /** The symbol inside a word where only letters belong; null if the letters themselves do not belong together. */
  symbol: string | null
}

// Of 5,925 correct words of the languages written in Windows-1252, three looked strange. So two strange words in a
// hundred are no accident, but one in ten may be.
const minShare = 0.015
const minStrangeWords = 2
// Applies to lists of one or two words, which have no other evidence.
const smallListShare = 0.5
// Stricter for encodings that the pipeline declares. In wrongly declared files, half of the names look odd.
const minOddShare = 0.3

/**
 * Returns the first strange word of a file whose encoding was guessed to be Windows-1252, if so many are strange that
 * the guess must be wrong; null otherwise.
 */
export function doubtOfGuess(words: WordLines): Doubt | null {
  const strange = [...words].flatMap(([word, line]) => {
    const found = misdecodingIn(word)
    return found ? [{ line, symbol: found.symbol }] : []
  })
  const share = strange.length / Math.max(1, words.size)
  const isWrong = share >= smallListShare || (strange.length >= minStrangeWords && share >= minShare)
  // A symbol inside a word shows what is wrong; a wrong combination of letters is harder to see.
  return isWrong ? (strange.find(({ symbol }) => symbol !== null) ?? strange[0] ?? null) : null
}

/**
 * Returns the first odd word of a file that was declared to be in `encoding`, if so many are odd that the declaration
 * must be wrong; null otherwise. Files declared as Windows-1252 may contain strange words, so only names without any
 * ASCII letter count there.
 */
export function doubtOfDeclaration(words: WordLines, encoding: string): Doubt | null {
  const isOdd = encoding === 'windows-1252' ? isAllAccents : isOddWord
  const odd = [...words].filter(([word]) => isOdd(word))
  const [first] = odd
  if (!first) return null
  const isWrong = odd.length >= minStrangeWords && odd.length >= words.size * minOddShare
  return isWrong ? { line: first[1], symbol: null } : null
}

function isAllAccents(word: string): boolean {
  return /^[^\0-\x7f]{2,}$/.test(word) && /^\p{Script=Latin}+$/u.test(word)
}

// Symbols between letters. Some of them, such as quotation marks, are normal at the end of a word.
const symbolInside =
  /\p{L}[\p{So}\p{Sm}\p{Sc}\p{Cc}\p{Co}§¶†‡•…¿¡‰¹²³»«›«‹„‚“”]\p{L}|\p{Cc}|\p{Co}|[^\P{L}A-Za-z][§¶†‡±°¬¦]$|^[§¶†‡±°¬¦][^\P{L}A-Za-z]/u

/**
 * Returns true if the letters of `word` are from two scripts, or if it has capitals or symbols where no name has them.
 */
function isOddWord(word: string): boolean {
  // Any ASCII character may be the delimiter of the file, so words are split at all of them.
  return word.split(/[\0-@[-`{-\x7f]/).some(isOddPart)
}

function isOddPart(word: string): boolean {
  const isMixed =
    /\p{Script=Latin}/u.test(word) &&
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}]/u.test(word)
  return isMixed || symbolInside.test(word) || !hasUsualCase(word) || isAllAccents(word)
}
