// Detects UTF-8 letters that a program read in another encoding before they reached the file: ü became Ã¼, √º or
// Гј. One rule for all encodings: the letters are written back as the bytes that the program read, and if these are
// UTF-8 for letters that fit the rest of the value, it was damaged. Pure.

import { bytesIn, codePages } from './code-pages.ts'

const maxRounds = 3

/** False alarms were measured on the names of the world: docs/files.md has the figures. */
export function isMisread(value: string): boolean {
  return readAsMeant(value, maxRounds) !== null
}

// Shortcuts for nearly every name. The first matches text without two consecutive characters outside ASCII: a single
// European character never stands for two bytes of UTF-8. The second matches Cyrillic, in which misread UTF-8 shows as
// letters and signs, and East Asian words that are too short for the bytes of other letters.
const isWestern = /^[\0-\x7f]*(?:[\x80-\u2e7f][\0-\x7f]+)*[\x80-\u2e7f]?$/
export const isOtherwiseUsual =
  /^(?:[А-яЁёІіЇїЄєҐґ]+|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]{1,3})(?:[ ,.-]+(?:[А-яЁёІіЇїЄєҐґ\d]+|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]{1,3}))*$/

function readAsMeant(value: string, rounds: number): string | null {
  if (rounds === 0 || isWestern.test(value) || isOtherwiseUsual.test(value)) return null
  for (const { 0: run, index } of value.matchAll(/[^\0-\x7f]+/g)) {
    const [before, after] = [value.slice(0, index), value.slice(index + run.length)]
    for (const page of codePages()) {
      const bytes = bytesIn(page, run)
      const meant = bytes && decodeUtf8(bytes)
      if (!meant) continue
      if (fits(meant, run, before, after) || readAsMeant(before + meant + after, rounds - 1) !== null) return meant
    }
  }
  return null
}

/** Decodes strictly. It has its own loop, because the exception of a TextDecoder costs more than everything else. */
function decodeUtf8(bytes: readonly number[]): string | null {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0
    const length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0
    if (length === 0 || at + length > bytes.length) return null
    let code = length === 1 ? lead : lead & (0xff >> (length + 1))
    for (const next of bytes.slice(at + 1, at + length)) {
      if (next >> 6 !== 2) return null
      code = code * 64 + (next & 63)
    }
    const least = [0, 0, 0x80, 0x800, 0x10000][length] ?? 0
    if (code < least || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return null
    text += String.fromCodePoint(code)
    at += length
  }
  return text
}

// The Latin letters of names: Europe, Vietnam, Pinyin, Romania, Azerbaijan.
const latin = /^(?:[\x80-\x9fÀ-ÖØ-öø-žƠơƯưǍ-ǜǦǧȘ-țəɛɔḀ-ỿ\p{ASCII}]|\p{M})+$/u
// Signs of three bytes that occur in names: ’ ‘ “ ” – — … and the like.
const signs = /^[\u2010-\u2027\u2030-\u205e€™]+$/u
const signsOfLatin1 = /^[\u00a0-\u00bf]+$/
const scripts = (
  'Greek Cyrillic Armenian Georgian Hebrew Arabic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil ' +
  'Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Ethiopic Khmer Mongolian'
)
  .split(' ')
  .map((script) => new RegExp(`^[\\p{Script=${script}}\\p{M}\\p{ASCII}\\u00a0\\u2018-\\u201d]+$`, 'u'))
const eastAsian =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\u30fb\u30fc\p{ASCII}]+$/u

/** @returns true if `meant` is more likely than `run` between `before` and `after` */
function fits(meant: string, run: string, before: string, after: string): boolean {
  // Correct text has quotation marks and dashes next to letters: «É, …Å.
  if (/^[«»“”„‘’–—…·•]/u.test(run)) return false
  if (signs.test(meant)) return true
  const isCapital = /\p{Lu}$/u.test(before) || /^\p{Lu}/u.test(after)
  if (signsOfLatin1.test(meant)) return meant !== '\u00a0' ? /^[^\p{L}]|^Â/u.test(run) : !isCapital && /^Â/u.test(run)
  if (latin.test(meant)) {
    if (eastAsian.test(run) && !/[a-z]/i.test(before + after)) return false
    // In a word of capitals, a lowercase letter is a coincidence.
    const word = `${before.split(/\P{L}/u).at(-1)}${after.split(/\P{L}/u)[0]}`
    if (/^\p{Lu}{2,}$/u.test(word) && /\p{Ll}/u.test(meant)) return false
    return /\p{L}/u.test(meant)
  }
  if (/[a-z]/i.test(before + after)) return false
  // The correct letters of a short name may by chance be the bytes of two other letters.
  const letters = meant.match(/\p{L}/gu)?.length ?? 0
  if (letters < (/^[\p{L}\p{M}]+$/u.test(run) ? 3 : eastAsian.test(meant) ? 1 : 2)) return false
  return (eastAsian.test(run) && letters < 4 ? [eastAsian] : [...scripts, eastAsian]).some((script) =>
    script.test(meant),
  )
}
