// Finds the encodings in which a text is probably written, by the letters of languages. Only for messages: no file is
// read in an encoding because of it. Pure.

const western = ['windows-1252', 'macintosh']
const central = ['windows-1250', 'iso-8859-2']
const minShare = 0.9
const westernLetters = 'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþßœ'

type Language = [encodings: readonly string[], letters: string]

const languages: readonly Language[] = [
  [western, 'äöüß'],
  [western, 'àâæçéèêëîïôœùûüÿ'],
  [western, 'áéíñóúü'],
  [western, 'áàâãçéêíóôõúü'],
  [western, 'åäöæøéüšž'],
  [western, 'áæðéíóöúýþ'],
  [western, 'àèéìòóù'],
  [central, 'ąćęłńóśźż'],
  [central, 'áčďéěíňóřšťúůýž'],
  [central, 'áäčďéíĺľňóôŕšťúýž'],
  [central, 'áéíóöőúüű'],
  [central, 'ăâîşţ'],
  [central, 'čćđšž'],
  [['windows-1254'], 'çğıöşüâîû\u0307'],
  [['windows-1257'], 'ąčęėįšųūž'],
  [['windows-1257'], 'āčēģīķļņšūž'],
  [['windows-1251', 'koi8-r'], 'абвгдежзийклмнопрстуфхцчшщъыьэюяё'],
  [['windows-1251'], 'абвгдежзийклмнопрстуфхцчшщьюяєіїґјљњћђџ'],
  [['windows-1253'], 'αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋ'],
]

export interface LikelyEncoding {
  encoding: string
  text: string
}

/**
 * Returns the encodings in which nearly all words of `bytes` are written with the letters of one language; usually one
 * or none. Two that read the text alike count as one. A mixture of western languages counts only if no language fits.
 */
export function likelyEncodings(bytes: Buffer): LikelyEncoding[] {
  const found = readingsOf(bytes, [...languages, ...ideographs()])
  return found.length > 0 ? found : readingsOf(bytes, [[western, westernLetters]])
}

function readingsOf(bytes: Buffer, candidates: readonly Language[]): LikelyEncoding[] {
  const found = new Map<string, string>()
  for (const [encodings, letters] of candidates) {
    const known = new Set(letters)
    const isLatin = /\p{Script=Latin}/u.test(letters)
    for (const encoding of encodings) {
      const text = new TextDecoder(encoding).decode(bytes)
      const words = (text.match(/[^\0-@[-`{-\x7f]+/g) ?? []).filter((word) => /[^\0-\x7f]/.test(word))
      const fitting = words.filter((word) => isWord(word, known, isLatin))
      if (fitting.length > 0 && fitting.length >= words.length * minShare && !found.has(text)) found.set(text, encoding)
    }
  }
  return [...found].map(([text, encoding]) => ({ encoding, text }))
}

/** A wrong encoding produces other characters, capitals in wrong places, or accents without plain letters. */
function isWord(word: string, letters: ReadonlySet<string>, isLatin: boolean): boolean {
  const plain = word.match(/[A-Za-z]/g)?.length ?? 0
  const others = [...word.toLowerCase()].filter((letter) => letter > '\x7f')
  if (!others.every((letter) => letters.has(letter))) return false
  if (isLatin) return plain * 2 >= others.length && !/\p{Ll}(?![A-Z])\p{Lu}|\p{Lu}(?![A-Z])\p{Lu}\p{Ll}/u.test(word)
  return plain === 0 && /^(\p{Lu}\p{Ll}+|\p{Lo}[\p{Lo}ー]*)$/u.test(word)
}

/** The usual characters of Chinese, Japanese and Korean, by the first bytes that their standards gave them. */
function ideographs(): Language[] {
  const usual = (encoding: string, first: number, last: number, lowest: number): Language => {
    const pairs: number[] = []
    for (let lead = first; lead <= last; lead++) for (let byte = lowest; byte < 0xff; byte++) pairs.push(lead, byte)
    return [[encoding], new TextDecoder(encoding).decode(Buffer.from(pairs)).replace(/\P{Lo}/gu, '')]
  }
  const [, kana] = usual('shift_jis', 0x82, 0x83, 0x40)
  const [, kanji] = usual('shift_jis', 0x88, 0x9f, 0x40)
  return [
    usual('gbk', 0xb0, 0xf7, 0xa1),
    [['shift_jis'], `${kana}${kanji}ー`],
    usual('euc-kr', 0xb0, 0xc8, 0xa1),
    usual('big5', 0xa4, 0xc6, 0x40),
  ]
}
