// A reading of a file held against the words that it makes: names that were read in a wrong encoding must not be issued. Pure.

import type { WordLines } from './gather-words.ts'
import { hasUsualCase } from './has-usual-case.ts'
import { strangenessOf } from './strange-words.ts'

export interface Doubt {
  /** Of the text, from 1; a spreadsheet program may show another number when cells run over several lines. */
  line: number
  sign: string | null
}

// Of 5,925 good words of the languages written in Windows-1252 three were strange once: two of a hundred are no accident, one of ten may be.
const leastShare = 0.015
const fewestStrange = 2
// In a list of one or two such words there is nothing else to go by.
const halfShare = 0.5
// Other encodings were declared by somebody. Words are odd in half of the names that were declared wrongly.
const leastOddShare = 0.3

/** The first odd word of a file that was guessed to be Windows-1252, when too many are odd for that; null when the guess may stand. */
export function doubtGuess(words: WordLines): Doubt | null {
  const strange = [...words].flatMap(([word, line]) => {
    const found = strangenessOf(word)
    return found ? [{ line, sign: found.sign }] : []
  })
  const share = strange.length / Math.max(1, words.size)
  const isWrong = share >= halfShare || (strange.length >= fewestStrange && share >= leastShare)
  // A sign shows what is wrong; letters that do not belong together have to be known.
  return isWrong ? (strange.find(({ sign }) => sign !== null) ?? strange[0] ?? null) : null
}

/**
 * The first word that is none in a file of which somebody declared that it is in `encoding`, when so many are none that it cannot be. Whoever
 * declares Windows-1252 may have strange words in it, and is only told of names without any letter of the alphabet.
 */
export function doubtDeclared(words: WordLines, encoding: string): Doubt | null {
  const isOdd = encoding === 'windows-1252' ? isAllAccents : isNoWord
  const odd = [...words].filter(([word]) => isOdd(word))
  const [first] = odd
  if (!first) return null
  const isWrong = odd.length >= fewestStrange && odd.length >= words.size * leastOddShare
  return isWrong ? { line: first[1], sign: null } : null
}

function isAllAccents(word: string): boolean {
  return /^[^\0-\x7f]{2,}$/.test(word) && /^\p{Script=Latin}+$/u.test(word)
}

// Between letters; some of them, such as quotation marks, are what they are at a word's end.
const signInside =
  /\p{L}[\p{So}\p{Sm}\p{Sc}\p{Cc}\p{Co}§¶†‡•…¿¡‰¹²³»«›«‹„‚“”]\p{L}|\p{Cc}|\p{Co}|[^\P{L}A-Za-z][§¶†‡±°¬¦]$|^[§¶†‡±°¬¦][^\P{L}A-Za-z]/u

/** Whether the letters of `word` are of two scripts, or have capitals or signs where no name has them. */
function isNoWord(word: string): boolean {
  // A separator that was declared stands between words too, and may be any sign.
  return word.split(/[\0-@[-`{-\x7f]/).some(isOddPart)
}

function isOddPart(word: string): boolean {
  const isMixed =
    /\p{Script=Latin}/u.test(word) &&
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}]/u.test(word)
  return isMixed || signInside.test(word) || !hasUsualCase(word) || isAllAccents(word)
}
