// A guess at Windows-1252 held against the words that it makes: names that were read in a wrong encoding must not be issued.

import type { ByteSource } from '#src/sources/byte-source.ts'
import { type StrangeWord, strangeWords } from './strange-words.ts'

export interface Doubt {
  /** Of the text, from 1; a spreadsheet program may show another number when cells run over several lines. */
  line: number
  sign: string | null
  /** Encodings in which the word is one, likely ones first; at most three. */
  likely: string[]
}

// What programs in countries with other letters write, the most common first.
const others = [
  'windows-1250',
  'iso-8859-2',
  'windows-1254',
  'windows-1257',
  'windows-1251',
  'windows-1253',
  'macintosh',
  'iso-8859-15',
]
const mostLikely = 3
const mostWords = 20
// A piece may end inside of a word; what comes after its last line end is looked at with the next one.
const longestRest = 65_536

/** The first place in `bytes` that is odd when it is read as Windows-1252; null when there is none. */
export async function doubtGuess(bytes: ByteSource): Promise<Doubt | null> {
  const decoder = new TextDecoder('windows-1252')
  let rest = ''
  let line = 1
  const look = (text: string): Doubt | null => {
    const [first, ...more] = strangeWords(text).take(mostWords)
    if (first)
      return { line: line + lineEnds(text.slice(0, first.at)), sign: first.sign, likely: likelyFor([first, ...more]) }
    line += lineEnds(text)
    return null
  }
  for await (const chunk of bytes.stream() as AsyncIterable<Buffer>) {
    const text = rest + decoder.decode(chunk, { stream: true })
    const end = text.lastIndexOf('\n') + 1
    const cut = end === 0 && text.length > longestRest ? text.length : end
    rest = text.slice(cut)
    const doubt = look(text.slice(0, cut))
    if (doubt) return doubt
  }
  return look(rest)
}

function lineEnds(text: string): number {
  return text.split('\n').length - 1
}

function likelyFor(words: readonly StrangeWord[]): string[] {
  // Its letters are capitals in the middle of words to everybody else.
  const isMacintosh = words.some(({ word, sign }) => sign === null && /[ŠŒŽŸ]/.test(word))
  const candidates = isMacintosh ? ['macintosh', ...others] : others
  const fitting = new Map(candidates.map((name) => [name, words.filter(({ word }) => fits(word, name)).length]))
  const best = Math.max(...fitting.values())
  return best === 0 ? [] : [...fitting.keys()].filter((name) => fitting.get(name) === best).slice(0, mostLikely)
}

/** Whether the bytes of `word` are one word of one script in `encoding`, with capitals where names have them. */
function fits(word: string, encoding: string): boolean {
  const text = new TextDecoder(encoding).decode(bytesOf(word))
  const isWord = /^[\p{L}\p{M}\p{N}\p{Pd}'’.@_]+$/u.test(text)
  const isMixed = /\p{Script=Latin}/u.test(text) && /\p{Script=Cyrillic}|\p{Script=Greek}/u.test(text)
  const isOdd = /\p{Script=Latin}/u.test(text) && /[^\0-\x7f]{4}/.test(text)
  return isWord && !isMixed && !isOdd && hasUsualCase(text)
}

/** Whether capitals stand where they do in names: in front, or all through. */
function hasUsualCase(word: string): boolean {
  return !/\p{Ll}\p{Lu}\p{Ll}*\p{Lu}|\p{Ll}\p{Lu}$/u.test(word)
}

let byteOf: Map<string, number> | undefined

function bytesOf(word: string): Buffer {
  byteOf ??= new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder('windows-1252').decode(Buffer.from([byte])), byte]),
  )
  return Buffer.from([...word].map((character) => byteOf?.get(character) ?? 0x3f))
}
