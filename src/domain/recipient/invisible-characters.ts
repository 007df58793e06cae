// Recognizes and removes invisible characters: soft hyphens, direction marks, zero-width spaces, joiners, fillers. They
// get into cells by copying, and two values that differ only in them look the same. Pure.

type Range = readonly [first: number, last: number]

// Together: Unicode's Default_Ignorable_Code_Point, the annotation anchors and the blank Braille pattern. They are
// listed as ranges because PostgreSQL has no such character class; a test compares them with Unicode.
const idle: readonly Range[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180e, 0x180e],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe00ff],
  [0xe01f0, 0xe0fff],
]

// These change how their neighbors look: joiners, in several scripts, and variation selectors.
const shaping: readonly Range[] = [
  [0x180b, 0x180d],
  [0x180f, 0x180f],
  [0x200c, 0x200d],
  [0xfe00, 0xfe0f],
  [0xe0100, 0xe01ef],
]

const characterClass = (ranges: readonly Range[], written: (code: number) => string) =>
  `[${ranges.map(([first, last]) => (first === last ? written(first) : `${written(first)}-${written(last)}`)).join('')}]`
const javaScriptClass = (ranges: readonly Range[]) => characterClass(ranges, (code) => `\\u{${code.toString(16)}}`)

const anyInvisible = new RegExp(javaScriptClass([...idle, ...shaping]), 'gu')
const anyIdle = new RegExp(javaScriptClass(idle), 'gu')
const isShaping = new RegExp(javaScriptClass(shaping), 'u')
const isIdle = new RegExp(javaScriptClass(idle), 'u')

// Covers European letters below the first invisible character: most text needs no further check.
const isOrdinary = /^[\0-\u00ac\u00ae-\u034e]*$/

/** The character class that `withoutIdleMarks` removes, in PostgreSQL's syntax. */
export const idleMarksInSql = characterClass(idle, (code) => `\\U${code.toString(16).padStart(8, '0')}`)

/** Removes all invisible characters, including joiners. For comparing values, never for sending them. */
export function withoutInvisible(text: string): string {
  return isOrdinary.test(text) ? text : text.replace(anyInvisible, '')
}

/** Removes the invisible characters that do not change how the text looks. */
export function withoutIdleMarks(text: string): string {
  return isOrdinary.test(text) ? text : text.replace(anyIdle, '')
}

/** Classifies `character`. A shaping mark belongs to the letter before it. */
export function invisibleKind(character: string): 'idle' | 'shaping' | null {
  if (isIdle.test(character)) return 'idle'
  return isShaping.test(character) ? 'shaping' : null
}
