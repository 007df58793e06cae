// Words that no language written in Windows-1252 has: what a guess at that encoding makes of another one. Pure.
// The patterns were held against names of the languages that are written in it (test/src/sources/csv), because a file that is
// refused for its own spelling is a fault too. A spelling is a hint all the same, and one alone proves nothing.

import { wordsBeyondAscii } from './words-beyond-ascii.ts'

/** A word by which the guess is wrong, and what in it says so, which is no letter of anybody's name. */
export interface StrangeWord {
  word: string
  /** Where in the text it begins. */
  at: number
  /** The sign that does not stand inside words; null when single letters are at odds. */
  sign: string | null
}

// No name is longer, and patterns that look from one letter to another would take the square of a longer one's time.
const longestPart = 64
const letters = 'A-Za-zÀ-ÖØ-öø-ÿŠŒŽšœžŸ'
const inside = (signs: string) => new RegExp(`(?<=[${letters}])[${signs}](?=[${letters}])`)
const before = (signs: string) => new RegExp(`[${signs}](?=[${letters}])`)

// Signs by where they may stand in an honest text. Not among them: ´ and ’ (typed for an apostrophe), – (for a hyphen), ° (N°5),
// and the l·l of Catalan; Mª and Nº are abbreviations of Spanish, m² and ¼ l are measures, ¡ and ¿ stand in front of words.
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
  // No letter of Windows-1252 stands there.
  /[\x81\x8d\x8f\x90\x9d]/,
]

// Thai and Arabic have signs at the ends of words too, where an honest one may stand.
const noPlainLetter = /^[^\0-\x7f«»“”„‘’–—…]{3,}$/

// Letters that do not meet in one word, or stand where they never do. A list of one of these languages has some such name soon; to find all of
// them would take dictionaries, and Gaelic, Faroese and Estonian names with them.
const spellings: readonly RegExp[] = [
  // Cyrillic, Greek, Hebrew and others: every letter is one beyond ASCII. Icelandic has three in a row (Sæþór), but beside others. Hebrew
  // and Arabic have words of two.
  /[À-ÿ]{4}|^[À-ÖØ-öø-ÿ]{3}$|^[à-öø-ÿ]{2}$/,
  // Macintosh and DOS: ä, é and ü come out as capitals.
  /[a-zà-öø-ÿ][ŠŒŽŸ]|[A-Z][ŠŒŽŸ][a-z]|[bdfghjklmnrsv]š[bdfgklmnrst]/,
  // Czech and Slovak: ř, č, ě, ů and ň come out with strokes and graves, beside acutes that stay.
  /ø[áíýìù]|[áíý]ø|ndøej|eøin|døich|^pøem/i,
  /[ìòù].*[áéíóúýšž]|[áéíóúýšž].*[ìòù]|è.*[áíóúý]|[áíóúý].*è|[aeiouùì]è[aeiou][a-z]|[vn]ì[bcdhjklmnrst]|tìj/i,
  // Croatian and Slovenian: ć, č, where Latin has no -iæ (Philosophiæ, Scientiæ). Polish: ń.
  /[šž]è|[oe]viæ$|[aeio][bdjkšž]iæ$|èiæ$|^ð.*æ$|ñsk/i,
  // Turkish: ı, ş and ğ come out as ý, þ and ð. Icelandic has Aþena, Nýbýlavegur and Endurskoðandi.
  /ý[lmnrsþz][a-z]?ý|þ$|[çü].*[ðþý]|[ðþý].*[çü]|doð[au]n|oðlu|yþe|[aeiuý]þ[kltm]|[dk]ýn$|yýl|^ýbr/i,
  // Romanian: ţ, ă.
  /þ.*ã|ã.*þ|ã[bcdglnrtv]|[aeioun]þi[aei]?$/i,
  // Lithuanian and Latvian: š, ė, ņ.
  /^ð|^[A-Z].{2,}(yt|ait|ien)ë$|iò[ða]/,
  // Hungarian: ő and ű come out as õ, which Estonian and Portuguese have, and û.
  /õ.*[áéíóú]|[áéíóú].*õ|[a-z]{2}[gnsz]õ$|(gy|sz|cs|ny|zs).*[õû]|[õû].*(gy|sz|cs|ny|cz)/i,
]

/** The words of `text`, read as Windows-1252, that say that it is not; mostly none. */
export function* strangeWords(text: string): Generator<StrangeWord> {
  for (const { word, at } of wordsBeyondAscii(text)) {
    const found = strangenessOf(word)
    if (found) yield { word, at, ...found }
  }
}

/** What is strange in `word`: the sign that does not stand inside words, null for single letters that are at odds; undefined when nothing is. */
export function strangenessOf(word: string): Pick<StrangeWord, 'sign'> | undefined {
  const sign = signOf(word)
  return sign !== null || noPlainLetter.test(word) || hasStrangeSpelling(word) ? { sign } : undefined
}

/** The sign in `word` that stands inside no word of Windows-1252; null when there is none. */
export function signOf(word: string): string | null {
  for (const pattern of signs) {
    const found = pattern.exec(word)
    if (found) return found[0]
  }
  return null
}

function hasStrangeSpelling(word: string): boolean {
  return partsOf(word).some((part) => part.length <= longestPart && spellings.some((pattern) => pattern.test(part)))
}

/** The names that stand in one word: of a double name, an address, or a file called `Simões_José.jpg`. */
function partsOf(word: string): string[] {
  return word.split(/[\0-\x2f:-@[-`{-\x7f’]/)
}
