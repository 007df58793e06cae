// Marks that have no look of their own: soft hyphens, marks of direction, zero-width spaces, joiners, fillers. They travel into cells by copying,
// and two values that differ in them alone are one value to everybody who reads them.

type Range = readonly [first: number, last: number]

// Unicode's Default_Ignorable_Code_Point, the anchors of annotations and the empty Braille sign. As ranges, because PostgreSQL knows no such
// class; a test holds them to Unicode.
const unseen: readonly Range[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
]

// Those that change how their neighbours look: joiners, in several scripts, and the signs that choose a form of a letter.
const shaping: readonly Range[] = [
  [0x180b, 0x180d],
  [0x180f, 0x180f],
  [0x200c, 0x200d],
  [0xfe00, 0xfe0f],
  [0xe0100, 0xe01ef],
]

const without = (ranges: readonly Range[], others: readonly Range[]): Range[] =>
  others.reduce<Range[]>(
    (left, [first, last]) =>
      left.flatMap(([from, to]): Range[] =>
        last < from || to < first
          ? [[from, to]]
          : [...(from < first ? [[from, first - 1] as const] : []), ...(last < to ? [[last + 1, to] as const] : [])],
      ),
    [...ranges],
  )

const idle = without(unseen, shaping)
const classOf = (ranges: readonly Range[], written: (code: number) => string) =>
  `[${ranges.map(([first, last]) => (first === last ? written(first) : `${written(first)}-${written(last)}`)).join('')}]`
const inScript = (ranges: readonly Range[]) => classOf(ranges, (code) => `\\u{${code.toString(16)}}`)

const anyUnseen = new RegExp(inScript(unseen), 'gu')
const anyIdle = new RegExp(inScript(idle), 'gu')
const isShaping = new RegExp(inScript(shaping), 'u')
const isIdle = new RegExp(inScript(idle), 'u')

// Below them all lie the letters of Europe: most texts need no further look.
const isOrdinary = /^[\0-\u00ac\u00ae-\u034e]*$/

/** The same class as `withoutIdle` takes out, as PostgreSQL writes it. */
export const idleInSql = classOf(idle, (code) => `\\U${code.toString(16).padStart(8, '0')}`)

/** Without all of them, joiners among them: for comparing, never for sending. */
export function withoutUnseen(text: string): string {
  return isOrdinary.test(text) ? text : text.replace(anyUnseen, '')
}

/** Without those that change nothing about how the text looks. */
export function withoutIdle(text: string): string {
  return isOrdinary.test(text) ? text : text.replace(anyIdle, '')
}

/** What `character` is. A shaping mark belongs to the letter in front of it. */
export function unseenKind(character: string): 'idle' | 'shaping' | null {
  if (isIdle.test(character)) return 'idle'
  return isShaping.test(character) ? 'shaping' : null
}
