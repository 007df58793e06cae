// Counts the steps of a backtracking engine for a pattern and a text. Counting does not depend on the machine's load,
// unlike timing.

import type { Parsed, Piece } from './parse-pattern.ts'

export interface Steps {
  /** The position of the first match; null if there is none. */
  found: [from: number, to: number] | null
  steps: number
}

type Goal = (at: number) => boolean

class TooManyError extends Error {}

/** Tries every start position and every path, like `RegExp.exec`. Returns null after more than `maxSteps` steps. */
export function countSteps({ root, flags }: Parsed, text: string, maxSteps: number): Steps | null {
  const letters = /[uv]/.test(flags) ? [...text] : text.split('')
  const groups: (number[] | undefined)[] = []
  let steps = 0

  function matches(piece: Piece, at: number, goal: Goal): boolean {
    if (++steps > maxSteps) throw new TooManyError()
    switch (piece.is) {
      case 'one':
        return at < letters.length && piece.fits(letters[at] as string) && goal(at + 1)
      case 'row':
        return rowFrom(piece.parts, 0, at, goal)
      case 'either':
        return piece.ways.some((way) => matches(way, at, goal))
      case 'repeat':
        return matchesRepeat(piece, 0, at, goal)
      case 'group': {
        const before = groups[piece.index]
        const done = (end: number) => {
          groups[piece.index] = [at, end]
          return goal(end)
        }
        if (matches(piece.of, at, done)) return true
        groups[piece.index] = before
        return false
      }
      case 'back': {
        const [from = 0, to = 0] = groups[piece.index] ?? []
        const same = letters.slice(from, to).every((letter, index) => letters[at + index] === letter)
        return same && goal(at + to - from)
      }
      case 'edge':
        return isEdge(piece.kind, at) && goal(at)
      case 'look':
        return matchesLookaround(piece, at) !== piece.not && goal(at)
    }
  }

  function rowFrom(parts: readonly Piece[], index: number, at: number, goal: Goal): boolean {
    const part = parts[index]
    return part ? matches(part, at, (end) => rowFrom(parts, index + 1, end, goal)) : goal(at)
  }

  function matchesRepeat(piece: Extract<Piece, { is: 'repeat' }>, done: number, at: number, goal: Goal): boolean {
    // A repetition stops when it matches the empty text.
    const again = () =>
      done < piece.max &&
      matches(piece.of, at, (end) => (end > at || done < piece.min) && matchesRepeat(piece, done + 1, end, goal))
    if (done < piece.min) return again()
    return piece.lazy ? goal(at) || again() : again() || goal(at)
  }

  function matchesLookaround({ of, behind }: Extract<Piece, { is: 'look' }>, at: number): boolean {
    if (!behind) return matches(of, at, () => true)
    const [min, max] = widthOf(of)
    for (let from = at - min; from >= Math.max(0, at - max); from--)
      if (matches(of, from, (end) => end === at)) return true
    return false
  }

  function isEdge(kind: '^' | '$' | '\\b' | '\\B', at: number): boolean {
    const newline = (letter: string | undefined) =>
      flags.includes('m') && letter !== undefined && /[\n\r\u2028\u2029]/.test(letter)
    const isWord = (letter: string | undefined) => letter !== undefined && /\w/.test(letter)
    if (kind === '^') return at === 0 || newline(letters[at - 1])
    if (kind === '$') return at === letters.length || newline(letters[at])
    return (isWord(letters[at - 1]) !== isWord(letters[at])) === (kind === '\\b')
  }

  let found: Steps['found'] = null
  try {
    for (let from = 0; from <= letters.length && !found; from++) {
      groups.length = 0
      const reached = (to: number) => {
        found = [from, to]
        return true
      }
      if (matches(root, from, reached) || flags.includes('y')) break
    }
  } catch (error) {
    if (error instanceof TooManyError) return null
    throw error
  }
  return { found, steps }
}

/** Returns the minimum and maximum number of characters that a piece matches. */
function widthOf(piece: Piece): [number, number] {
  switch (piece.is) {
    case 'one':
      return [1, 1]
    case 'row':
      return piece.parts.map(widthOf).reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0])
    case 'either': {
      const widths = piece.ways.map(widthOf)
      return [Math.min(...widths.map(([min]) => min)), Math.max(...widths.map(([, max]) => max))]
    }
    case 'repeat': {
      const [min, max] = widthOf(piece.of)
      return [min * piece.min, max === 0 ? 0 : max * piece.max]
    }
    case 'group':
      return widthOf(piece.of)
    case 'back':
      return [0, Infinity]
    default:
      return [0, 0]
  }
}
