// Names the encoding of a list where it is nearly sure: whoever is told a wrong one declares it, and wrong names go out. Pure.

import { hasUsualCase } from './has-usual-case.ts'

interface Language {
  /** Encodings in which it is written where nobody writes UTF-8. */
  encodings: readonly string[]
  /** Its letters beyond ASCII. */
  letters: string
  latin: boolean
}

const central = ['windows-1250', 'iso-8859-2']
const latin = (encodings: readonly string[], letters: string): Language => ({ encodings, letters, latin: true })
const other = (encodings: readonly string[], letters: string): Language => ({ encodings, letters, latin: false })
const russian = 'абвгдежзийклмнопрстуфхцчшщъыьэюяё'

// By what is left of a word that is no letter of a language, most wrong readings are told; those of other scripts by their capitals.
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
const fewestWords = 3
const fewestLetters = 12
// Somebody in the list is of another country, in both readings.
const leastShare = 0.95
const mostOfOther = 0.6

/**
 * The one encoding in which `words`, which are given as Windows-1252 reads them, are words of one language; null when there is none or
 * more than one, or when there are too few words to tell.
 */
export function likelyEncoding(words: Iterable<string>): string | null {
  const all = [...words]
  if (all.length < fewestWords || all.join('').length < fewestLetters) return null
  const bytes = all.map(bytesOf)
  // By what the words come out as, since two encodings may read all of them alike.
  const readings = new Map<string, { encoding: string; share: number }>()
  for (const { encodings, letters, latin: isLatin } of languages) {
    const allowed = new Set(letters)
    for (const encoding of encodings) {
      const read = bytes.map((each) => new TextDecoder(encoding).decode(each))
      const share = read.filter((word) => fits(word, allowed, isLatin)).length / read.length
      const known = readings.get(read.join('\n'))
      if (!known || known.share < share) readings.set(read.join('\n'), { encoding: known?.encoding ?? encoding, share })
    }
  }
  const [first, second] = [...readings.values()].sort((a, b) => b.share - a.share)
  const isSure = first !== undefined && first.share >= leastShare && (second?.share ?? 0) < mostOfOther
  return isSure ? first.encoding : null
}

function fits(word: string, letters: ReadonlySet<string>, isLatin: boolean): boolean {
  const beyond = [...word.toLowerCase()].filter((letter) => letter > '\x7f' && !'–—‘’“”„«»°\u00a0'.includes(letter))
  if (!beyond.every((letter) => letters.has(letter)) || !hasUsualCase(word)) return false
  const ascii = word.match(/[A-Za-z]/g)?.length ?? 0
  // Of Latin words at least a third are plain letters; of others none, and names begin with a capital and are not all capitals,
  // as Hebrew ones would be in KOI8-R.
  return isLatin ? ascii * 2 >= beyond.length : ascii === 0 && /^[^\p{L}]*\p{Lu}\p{Ll}/u.test(word)
}

let byteOf: Map<string, number> | undefined

function bytesOf(word: string): Buffer {
  byteOf ??= new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder('windows-1252').decode(Buffer.from([byte])), byte]),
  )
  return Buffer.from([...word].map((character) => byteOf?.get(character) ?? 0x3f))
}
