// Finds words that no language written in Windows-1252 has, which shows that a guess of that encoding was wrong. Pure.
// The patterns were checked against names of those languages (test/src/files/tables/csv), because refusing a file with
// correct spelling is a fault as well. Even so, a strange spelling is only a hint, and a single one proves nothing.

import { wordsBeyondAscii } from './words-beyond-ascii.ts'

/** A word that contradicts the guess, and the character in it that occurs in no name. */
export interface MisdecodedWord {
  word: string
  /** Its position in the text. */
  at: number
  /** The character that does not occur inside words; null if only the combination of letters is odd. */
  symbol: string | null
}

// No name is longer, and patterns that relate two letters would take quadratic time on longer parts.
const maxPartLength = 64
const letters = 'A-Za-zÀ-ÖØ-öø-ÿŠŒŽšœžŸ'
const inside = (signs: string) => new RegExp(`(?<=[${letters}])[${signs}](?=[${letters}])`)
const before = (signs: string) => new RegExp(`[${signs}](?=[${letters}])`)

// Symbols by where they may occur in a correct text. Not included: ´ and ’ (typed for an apostrophe), – (for a hyphen),
// ° (N°5), and the l·l of Catalan; Mª and Nº are Spanish abbreviations, m² and ¼ l are measures, ¡ and ¿ stand before
// words.
const signs: readonly RegExp[] = [
  new RegExp(`[£¶¤¦±¬¯¢¥](?=[${letters}])|(?<=[${letters}])[£¶¤¦±¬¯¢¥]`),
  before('©®™€³¹'),
  new RegExp(`(?<=[${letters}])[¡¿¼½¾µƒˆ˜]`),
  new RegExp(`[ƒˆ˜](?=[${letters}])`),
  new RegExp(`(?<=[${letters}]{3})[³¹²]`),
  new RegExp(`(?<=[${letters}]{2}|^)[ºª](?=[${letters}])`),
  new RegExp(`(?<=[${letters}])(?<![lL])·(?=[${letters}])`),
  inside('»«†‡‰‹›“”•²'),
  /(?<=[a-zà-öø-ÿ])§|(?<=[A-Za-zÀ-ÖØ-öø-ÿ])[‚„]/,
  /^¼(?=[a-z]{3})/,
  // Windows-1252 has no characters at these bytes.
  /[\x81\x8d\x8f\x90\x9d]/,
]

// Matches misread words in Thai and Arabic. Their wrong symbols may also be at the end, where symbols are normal.
const noPlainLetter = /^[^\0-\x7f«»“”„‘’–—…]{3,}$/

// Letters that do not occur in the same word, or not in that position. Almost every list in one of these languages has
// such a name. Finding all of them would take dictionaries, and would also match Gaelic, Faroese and Estonian names.
const spellings: readonly RegExp[] = [
  // Cyrillic, Greek, Hebrew and others: every letter is beyond ASCII. Icelandic has three in a row (Sæþór), but next to
  // ASCII letters. Hebrew and Arabic have two-letter words.
  /[À-ÿ]{4}|^[À-ÖØ-öø-ÿ]{3}$|^[à-öø-ÿ]{2}$/,
  // Macintosh and DOS: ä, é and ü appear as capitals.
  /[a-zà-öø-ÿ][ŠŒŽŸ]|[A-Z][ŠŒŽŸ][a-z]|[bdfghjklmnrsv]š[bdfgklmnrst]/,
  // Czech and Slovak: ř, č, ě, ů and ň appear with strokes and graves, next to acutes that stay.
  /ø[áíýìù]|[áíý]ø|ndøej|eøin|døich|^pøem/i,
  /[ìòù].*[áéíóúýšž]|[áéíóúýšž].*[ìòù]|è.*[áíóúý]|[áíóúý].*è|[aeiouùì]è[aeiou][a-z]|[vn]ì[bcdhjklmnrst]|tìj/i,
  // Croatian and Slovenian: ć, č, where Latin has no -iæ (Philosophiæ, Scientiæ). Polish: ń.
  /[šž]è|[oe]viæ$|[aeio][bdjkšž]iæ$|èiæ$|^ð.*æ$|ñsk/i,
  // Turkish: ı, ş and ğ appear as ý, þ and ð. Icelandic has Aþena, Nýbýlavegur and Endurskoðandi.
  /ý[lmnrsþz][a-z]?ý|þ$|[çü].*[ðþý]|[ðþý].*[çü]|doð[au]n|oðlu|yþe|[aeiuý]þ[kltm]|[dk]ýn$|yýl|^ýbr/i,
  // Romanian: ţ, ă.
  /þ.*ã|ã.*þ|ã[bcdglnrtv]|[aeioun]þi[aei]?$/i,
  // Lithuanian and Latvian: š, ė, ņ.
  /^ð|^[A-Z].{2,}(yt|ait|ien)ë$|iò[ða]/,
  // Hungarian: ő and ű appear as õ, which Estonian and Portuguese have, and û.
  /õ.*[áéíóú]|[áéíóú].*õ|[a-z]{2}[gnsz]õ$|(gy|sz|cs|ny|zs).*[õû]|[õû].*(gy|sz|cs|ny|cz)/i,
]

/** Yields the words of `text`, decoded as Windows-1252, that contradict that encoding; usually none. */
export function* misdecodedWords(text: string): Generator<MisdecodedWord> {
  for (const { word, at } of wordsBeyondAscii(text)) {
    const found = misdecodingIn(word)
    if (found) yield { word, at, ...found }
  }
}

/**
 * Returns what is strange in `word`: the character that does not occur inside words, or null for an odd combination of
 * letters. Returns undefined if nothing is strange.
 */
export function misdecodingIn(word: string): Pick<MisdecodedWord, 'symbol'> | undefined {
  const symbol = symbolIn(word)
  return symbol !== null || noPlainLetter.test(word) || hasStrangeSpelling(word) ? { symbol } : undefined
}

/** Returns the character in `word` that does not occur inside words; null if there is none. */
export function symbolIn(word: string): string | null {
  for (const pattern of signs) {
    const found = pattern.exec(word)
    if (found) return found[0]
  }
  return null
}

function hasStrangeSpelling(word: string): boolean {
  return partsOf(word).some((part) => part.length <= maxPartLength && spellings.some((pattern) => pattern.test(part)))
}

/** Splits a word into its names: a double name, an address, or a file called `Simões_José.jpg`. */
function partsOf(word: string): string[] {
  return word.split(/[\0-\x2f:-@[-`{-\x7f’]/)
}
