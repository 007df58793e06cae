// Parses a regular expression into a tree of its pieces and repetitions. Character classes are tested with the engine
// itself.

export type Piece =
  // One character; `written` is its source, such as `[a-z]`.
  | { is: 'one'; fits: (letter: string) => boolean; written: string }
  // A sequence.
  | { is: 'row'; parts: Piece[] }
  | { is: 'either'; ways: Piece[] }
  | { is: 'repeat'; of: Piece; min: number; max: number; lazy: boolean }
  | { is: 'group'; of: Piece; index: number }
  // A reference back to the text of a group.
  | { is: 'back'; index: number }
  | { is: 'edge'; kind: '^' | '$' | '\\b' | '\\B' }
  // A lookahead, or if `behind`, a lookbehind.
  | { is: 'look'; of: Piece; behind: boolean; not: boolean }

export interface Parsed {
  root: Piece
  flags: string
}

// Matches one token; a class or an escape is one token.
const escapeToken = /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[a-zA-Z]|k<[^>]*>|[1-9]\d*|[\s\S])/y
const groupOpening = /\((?:\?(?:<(?![=!])[^>]*>|<?[=!]|[a-z]*(?:-[a-z]+)?:))?/y
const quantifier = /(?:[*+?]|\{(\d+)(,(\d*))?\})(\??)/y

/** @throws on unknown syntax, since such a pattern could not be checked */
export function parsePattern({ source, flags }: { source: string; flags: string }): Parsed {
  let at = 0
  let groups = 0
  const names = new Map<string, number>()
  const unicode = /[uv]/.test(flags)
  const readToken = (token: RegExp) => {
    token.lastIndex = at
    const found = token.exec(source)
    if (found) at += found[0].length
    return found
  }
  const character = (written: string): Piece => {
    const test = new RegExp(`^(?:${written})$`, flags.replace(/[gymd]/g, ''))
    const known = new Map<string, boolean>()
    const fits = (letter: string) => {
      const before = known.get(letter)
      if (before !== undefined) return before
      const now = test.test(letter)
      known.set(letter, now)
      return now
    }
    return { is: 'one', fits, written }
  }

  function either(): Piece {
    const ways = [row()]
    while (source[at] === '|') {
      at++
      ways.push(row())
    }
    return ways.length === 1 ? (ways[0] as Piece) : { is: 'either', ways }
  }

  function row(): Piece {
    const parts: Piece[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated(atom()))
    return { is: 'row', parts }
  }

  function repeated(of: Piece): Piece {
    const found = readToken(quantifier)
    if (!found) return of
    const [written, from, comma, to, lazy] = found
    const simple = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }[written[0] as string]
    const [min, max] = simple ?? [Number(from), comma ? (to ? Number(to) : Infinity) : Number(from)]
    return { is: 'repeat', of, min: min as number, max: max as number, lazy: lazy === '?' }
  }

  function atom(): Piece {
    const letter = source[at] as string
    if (letter === '(') return group()
    if (letter === '[') return character(readClass())
    if (letter === '\\') return escaped((readToken(escapeToken) as RegExpExecArray)[0])
    if (letter === '^' || letter === '$') {
      at++
      return { is: 'edge', kind: letter }
    }
    const whole = unicode ? String.fromCodePoint(source.codePointAt(at) as number) : letter
    at += whole.length
    return character(whole)
  }

  function escaped(written: string): Piece {
    if (written === '\\b' || written === '\\B') return { is: 'edge', kind: written }
    if (/^\\[1-9]/.test(written)) return { is: 'back', index: Number(written.slice(1)) }
    if (written.startsWith('\\k<')) return { is: 'back', index: names.get(written.slice(3, -1)) ?? 0 }
    return character(written)
  }

  function group(): Piece {
    const [sign] = readToken(groupOpening) as RegExpExecArray
    const index = sign === '(' || /^\(\?<[^=!]/.test(sign) ? ++groups : null
    if (index !== null && sign !== '(') names.set(sign.slice(3, -1), index)
    if (/^\(\?[a-z-]+:/.test(sign)) throw new Error(`modifiers are not supported: ${source}`)
    const of = either()
    if (source[at++] !== ')') throw new Error(`not closed: ${source}`)
    if (index !== null) return { is: 'group', of, index }
    if (/[=!]$/.test(sign)) return { is: 'look', of, behind: sign.includes('<'), not: sign.endsWith('!') }
    return of
  }

  function readClass(): string {
    const from = at
    for (let depth = 0; at < source.length; ) {
      const letter = source[at++]
      if (letter === '\\') at++
      else if (letter === '[' && (depth === 0 || flags.includes('v'))) depth++
      else if (letter === ']' && --depth === 0) break
    }
    return source.slice(from, at)
  }

  const root = either()
  if (at < source.length) throw new Error(`not parsed completely: ${source}`)
  return { root, flags }
}

/** Yields every piece of the tree, outer pieces first. */
export function* piecesOf(piece: Piece): Generator<Piece> {
  yield piece
  if ('of' in piece) yield* piecesOf(piece.of)
  else if (piece.is === 'row') for (const part of piece.parts) yield* piecesOf(part)
  else if (piece.is === 'either') for (const way of piece.ways) yield* piecesOf(way)
}
