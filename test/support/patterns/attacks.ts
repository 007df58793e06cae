// Builds worst-case text from a pattern: a prefix that reaches a repetition, many copies of the repeated part, and a
// suffix that cannot match, so that the engine tries every path.

import { countSteps } from './count-steps.ts'
import { type Parsed, type Piece, parsePattern, piecesOf } from './parse-pattern.ts'

export interface Attack {
  prefix: string
  /** The part that is repeated. */
  pump: string
  suffix: string
}

const shortLength = 100
const longLength = 4 * shortLength
/**
 * The allowed growth in steps when a text becomes four times as long: twice the growth of a linear pattern. Quadratic
 * patterns take sixteen times as many steps.
 */
const maxGrowth = 8
/** Counting stops at this number; no pattern of the program takes seven hundred steps per character. */
const maxSteps = 300_000
const maxSuffixes = 6
const letters = [
  ...'aZ0 \t\n\r-_.,:;<>()[]{}"\'=/\\!?#@%&*+|~^$`',
  '\0',
  'é',
  '\u00a0',
  '中',
  '\u200b',
  '\ufffd',
  '\ufeff',
]

/**
 * Returns the first attack whose steps grow faster than the text; null if there is none.
 * @throws if the pattern is not supported
 */
export function findAttack(pattern: { source: string; flags: string }): Attack | null {
  const parsed = parsePattern(pattern)
  for (const attack of attacksOn(parsed)) if (growsTooFast(parsed, attack)) return attack
  return null
}

/** Returns the attack as text, with its pump repeated to at least `length` characters. */
export function attackText({ prefix, pump, suffix }: Attack, length: number): string {
  return prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix
}

function growsTooFast(parsed: Parsed, attack: Attack): boolean {
  const stepsFor = (length: number) => countSteps(parsed, attackText(attack, length), maxSteps)?.steps ?? Infinity
  const short = stepsFor(shortLength)
  // Up to ten steps per character are harmless, which is the case for most attacks.
  if (short < 10 * shortLength) return false
  return short === Infinity || stepsFor(longLength) / short > maxGrowth
}

/**
 * Returns one character for each set of positions in the pattern that accept it; characters that are accepted at the
 * same positions are equivalent.
 */
function kindsOf({ root }: Parsed): string[] {
  const characterPieces = [...piecesOf(root)].filter((piece) => piece.is === 'one')
  const written = characterPieces.flatMap(({ written }) => [...written])
  const kinds = new Map<string, string>()
  for (const letter of [...written, ...letters]) {
    const kind = characterPieces.map(({ fits }) => (fits(letter) ? 1 : 0)).join('')
    if (!kinds.has(kind)) kinds.set(kind, letter)
  }
  return [...kinds.values()]
}

export function* attacksOn(parsed: Parsed): Generator<Attack> {
  const { root } = parsed
  const kinds = kindsOf(parsed)
  const ways = [0, 1, 2]
  const pieces = [...piecesOf(root)]
  // Text that matches elsewhere in the pattern may make the engine reach a repetition again and again.
  const elsewhere = pieces.filter(({ is }) => is === 'row').map((piece) => sample(piece, kinds, 0))
  const suffixes = ['', ...kinds.slice(-maxSuffixes), ...elsewhere.slice(-maxSuffixes)]
  for (const piece of pieces) {
    if (piece.is !== 'repeat' || piece.max <= shortLength) continue
    const prefixes = new Set(['', ...ways.map((way) => leadTo(root, piece, kinds, way) ?? '')])
    const pumps = new Set([...ways.map((way) => sample(piece.of, kinds, way)), ...kinds, ...elsewhere])
    pumps.delete('')
    for (const prefix of prefixes)
      for (const pump of pumps) for (const suffix of suffixes) yield { prefix, pump, suffix }
  }
}

/**
 * Returns text that matches the piece.
 * @param way which alternative to use, and how often to repeat optional parts
 */
function sample(piece: Piece, kinds: readonly string[], way: number): string {
  switch (piece.is) {
    case 'one': {
      const fitting = kinds.filter(piece.fits)
      return fitting[way % Math.max(1, fitting.length)] ?? ''
    }
    case 'row':
      return piece.parts.map((part) => sample(part, kinds, way)).join('')
    case 'either':
      return sample(piece.ways[way % piece.ways.length] as Piece, kinds, way)
    case 'repeat':
      return sample(piece.of, kinds, way).repeat(Math.min(Math.max(piece.min, way), piece.max))
    case 'group':
      return sample(piece.of, kinds, way)
    default:
      return ''
  }
}

/** Returns text that leads to `goal`; undefined if `goal` is not within `piece`. */
function leadTo(piece: Piece, goal: Piece, kinds: readonly string[], way: number): string | undefined {
  if (piece === goal) return ''
  if (piece.is === 'either')
    return piece.ways.map((each) => leadTo(each, goal, kinds, way)).find((found) => found !== undefined)
  if (piece.is === 'row') {
    let before = ''
    for (const part of piece.parts) {
      const found = leadTo(part, goal, kinds, way)
      if (found !== undefined) return before + found
      before += sample(part, kinds, way)
    }
    return undefined
  }
  return 'of' in piece ? leadTo(piece.of, goal, kinds, way) : undefined
}
