// Suggests the encoding of a list, but only if it is nearly certain: people declare the suggested encoding, and with a
// wrong one credentials would be issued with wrong names. Pure.

import { hasUsualCase } from './has-usual-case.ts'

interface Language {
  /** The legacy encodings in which the language is usually written. */
  encodings: readonly string[]
  /** The letters of the language beyond ASCII. */
  letters: string
  latin: boolean
}

const central = ['windows-1250', 'iso-8859-2']
const latin = (encodings: readonly string[], letters: string): Language => ({ encodings, letters, latin: true })
const other = (encodings: readonly string[], letters: string): Language => ({ encodings, letters, latin: false })
const russian = 'абвгдежзийклмнопрстуфхцчшщъыьэюяё'

// Most wrong encodings produce characters that are not letters of the language. In other scripts, they produce capitals
// in wrong places.
const languages: readonly Language[] = [
  latin(central, 'ąćęłńóśźż'),
  latin(central, 'áčďéěíňóřšťúůýž'),
  latin(central, 'áäčďéíĺľňóôŕšťúýž'),
  latin(central, 'áéíóöőúüű'),
  latin(central, 'ăâîşţ'),
  latin(central, 'čćđšž'),
  latin(['windows-1254'], 'çğıöşüâîû\u0307'),
  latin(['windows-1257'], 'ąčęėįšųūž'),
  latin(['windows-1257'], 'āčēģīķļņšūž'),
  other(['windows-1251', 'koi8-r'], russian),
  other(['windows-1251'], 'абвгдежзийклмнопрстуфхцчшщьюяєіїґ'),
  other(['windows-1251'], 'абвгдежзиклмнопрстуфхцчшђјљњћџ'),
  other(['windows-1253'], 'αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋ'),
  latin(['macintosh'], 'äöüß'),
  latin(['macintosh'], 'àâæçéèêëîïôœùûü'),
  latin(['macintosh'], 'áéíñóúü'),
  latin(['macintosh'], 'áàâãçéêíóôõú'),
  latin(['macintosh'], 'åäöæøéü'),
  latin(['macintosh'], 'àèéìòù'),
]
const minWords = 3
const minLetters = 12
// Less than 1, because some people in a list have names from other countries.
const minShare = 0.95
const maxOtherShare = 0.6

/**
 * Returns the only encoding in which `words` (given as decoded from Windows-1252) are words of one language; null if
 * there is none or more than one, or if there are too few words.
 */
export function likelyEncoding(words: Iterable<string>): string | null {
  const all = [...words]
  if (all.length < minWords || all.join('').length < minLetters) return null
  const bytes = all.map(bytesOf)
  // Keyed by the decoded words, because two encodings may decode all of them the same.
  const readings = new Map<string, { encoding: string; share: number }>()
  for (const { encodings, letters, latin: isLatin } of languages) {
    const allowed = new Set(letters)
    for (const encoding of encodings) {
      const read = bytes.map((byte) => new TextDecoder(encoding).decode(byte))
      const share = read.filter((word) => fits(word, allowed, isLatin)).length / read.length
      const known = readings.get(read.join('\n'))
      if (!known || known.share < share) readings.set(read.join('\n'), { encoding: known?.encoding ?? encoding, share })
    }
  }
  const [first, second] = [...readings.values()].sort((a, b) => b.share - a.share)
  const isSure = first !== undefined && first.share >= minShare && (second?.share ?? 0) < maxOtherShare
  return isSure ? first.encoding : null
}

function fits(word: string, letters: ReadonlySet<string>, isLatin: boolean): boolean {
  const beyond = [...word.toLowerCase()].filter((letter) => letter > '\x7f' && !'–—‘’“”„«»°\u00a0'.includes(letter))
  if (!beyond.every((letter) => letters.has(letter)) || !hasUsualCase(word)) return false
  const ascii = word.match(/[A-Za-z]/g)?.length ?? 0
  // At least a third of the letters in Latin words are ASCII. Words in other scripts have none, and names begin with a
  // capital and are not all capitals, as Hebrew ones would be in KOI8-R.
  return isLatin ? ascii * 2 >= beyond.length : ascii === 0 && /^[^\p{L}]*\p{Lu}\p{Ll}/u.test(word)
}

let byteOf: Map<string, number> | undefined

function bytesOf(word: string): Buffer {
  byteOf ??= new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder('windows-1252').decode(Buffer.from([byte])), byte]),
  )
  return Buffer.from([...word].map((character) => byteOf?.get(character) ?? 0x3f))
}
