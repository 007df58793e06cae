// Finds what can be left out of or changed in a statement: conditions, locks, orders, conflict clauses, bounds and
// defaults. It relies on the style of the ledger's statements, in which keywords are in capitals and functions are not.
// Pure.

import { type Token, tokensOf } from './sql-tokens.ts'

export interface Part {
  start: number
  end: number
  /** Returns the replacement for the text between `start` and `end`. */
  replace(text: string): string
}

export interface Mutation {
  kind: string
  parts: Part[]
}

/** The keywords that end a condition. */
const endOfCondition = new Set(
  `GROUP HAVING WINDOW ORDER LIMIT OFFSET FETCH FOR UNION INTERSECT EXCEPT RETURNING ON DO SET WHERE JOIN LEFT RIGHT
   FULL INNER CROSS THEN ELSE END WHEN AS SELECT LOOP`.split(/\s+/),
)
const endOfOrder = new Set('LIMIT OFFSET FETCH FOR UNION INTERSECT EXCEPT RETURNING ROWS RANGE'.split(' '))
const statement = new Set('SELECT INSERT UPDATE DELETE WITH LOCK SET BEGIN CREATE ALTER FOR ON ORDER'.split(' '))

export function mutationsOf(sql: string): Mutation[] {
  const tokens = tokensOf(sql)
  const found: Mutation[] = []
  const add = (kind: string, ...parts: Part[]) => void found.push({ kind, parts })
  /**
   * Returns the tokens from `from` up to the first one at its depth for which `ends` is true, or to the closing
   * parenthesis.
   */
  const until = (from: number, ends: (token: Token, index: number) => boolean) => {
    const depth = tokens[from]?.depth ?? 0
    let to = from
    while (to < tokens.length) {
      const token = tokens[to] as Token
      if (token.depth < depth || token.text === ';' || (token.depth === depth && ends(token, to))) break
      to++
    }
    return tokens.slice(from, to)
  }
  const conditionFrom = (from: number) =>
    until(from, ({ text }, at) => {
      if (text === ',') return true
      return endOfCondition.has(text) && tokens[at - 1]?.text !== '.'
    })

  // A literal that is not a statement may be a condition.
  const first = tokens[0]
  if (first && !statement.has(first.text)) {
    const condition = conditionFrom(0)
    if (condition.some(({ text, depth }) => depth === 0 && ['AND', 'OR'].includes(text)))
      mutateCondition(condition, add)
  }
  for (const [at, { text, start, end }] of tokens.entries()) {
    const next = tokens[at + 1]?.text
    if (text === 'WHERE' || text === 'HAVING') mutateCondition(conditionFrom(at + 1), add)
    if (text === 'WHEN') mutateCondition(conditionFrom(at + 1), add, 'parts only')
    if (text === 'ON' && next === 'CONFLICT') {
      const clause = until(at, (token) => token.text === 'RETURNING')
      add('ON CONFLICT', leaveOut(clause))
    } else if (text === 'ON' && tokens[at - 1]?.text !== 'DISTINCT') mutateCondition(conditionFrom(at + 1), add)
    if (text === '(') mutateGroup(tokens, at, add)
    if (text === 'FOR' && ['UPDATE', 'NO', 'SHARE', 'KEY'].includes(next ?? '')) {
      const clause = until(
        at,
        (token) => !/^(FOR|NO|KEY|UPDATE|SHARE|OF|SKIP|LOCKED|NOWAIT|,|[a-z_]+)$/.test(token.text),
      )
      add('row lock', leaveOut(clause))
    }
    if (text === 'SKIP') add('SKIP LOCKED', leaveOut(tokens.slice(at, at + 2)))
    if (text === 'ORDER') {
      const clause = until(
        at,
        (token) => endOfOrder.has(token.text) || (token.text === 'ON' && token.depth === tokens[at]?.depth),
      )
      add('ORDER BY', leaveOut(clause))
    }
    const bound = { '<=': '<', '<': '<=', '>=': '>', '>': '>=' }[text]
    // A time never equals the clock to the microsecond, so a test could not notice this mutant.
    const beside = tokens.slice(Math.max(0, at - 3), at + 4).map((token) => token.text)
    const clock =
      beside.some((word) => /^(clock|statement|transaction)_timestamp$/.test(word)) || next?.startsWith('${')
    if (bound && !clock) add(`${text} to ${bound}`, { start, end, replace: () => bound })
    if (/^pg_(try_)?advisory/.test(text) && next === '(') {
      const call = tokens.slice(at, at + 2 + until(at + 2, () => false).length + 1)
      const result = text.includes('_try_') ? 'true' : 'NULL'
      // The call stays in the text, so that its parameters keep their types.
      add('advisory lock', { ...spanOf(call), replace: (whole) => `CASE WHEN false THEN ${whole} ELSE ${result} END` })
    }
    if (text === 'coalesce' && next === '(') mutateCoalesce(tokens, at, add)
  }
  return found
}

type Add = (kind: string, ...parts: Part[]) => void

const spanOf = (tokens: readonly Token[]) => ({ start: tokens[0]?.start ?? 0, end: tokens.at(-1)?.end ?? 0 })
const leaveOut = (tokens: readonly Token[]): Part => ({ ...spanOf(tokens), replace: () => '' })

/** Makes each conjunct true. The conjunct stays in the text, so that parameters and joins keep their types. */
function mutateCondition(tokens: readonly Token[], add: Add, which: 'all' | 'parts only' = 'all'): void {
  if (tokens.length === 0) return
  const [alternatives, conjuncts] = [split(tokens, 'OR'), split(tokens, 'AND')]
  if (alternatives.length > 1)
    for (const each of alternatives) add('alternative', { ...spanOf(each), replace: (text) => `(${text} AND false)` })
  const parts = alternatives.length > 1 ? [tokens] : conjuncts
  if (which === 'parts only' && parts.length === 1) return
  for (const each of parts)
    if (each[0]?.text !== 'true') add('condition', { ...spanOf(each), replace: (text) => `((${text}) OR true)` })
}

/** Mutates a group within a condition, such as `(a OR b)` or `(a AND b)`. */
function mutateGroup(tokens: readonly Token[], at: number, add: Add): void {
  const depth = (tokens[at]?.depth ?? 0) + 1
  const close = tokens.findIndex((token, index) => index > at && token.depth < depth)
  const inside = tokens.slice(at + 1, close < 0 ? undefined : close)
  const before = tokens[at - 1]?.text ?? ''
  // Arguments of functions, subqueries and lists are not groups.
  const isGroup = /^(AND|OR|NOT|WHERE|ON|\(|SELECT|,|AS|WHEN)$/.test(before) || at === 0
  const isFlat = inside.every((token) => token.depth > depth || (token.text !== ',' && !endOfCondition.has(token.text)))
  if (!isGroup || !isFlat) return
  if (split(inside, 'OR').length > 1 || split(inside, 'AND').length > 1) mutateCondition(inside, add, 'parts only')
}

/** Splits the tokens at a word, except inside parentheses and CASE, and at the AND of BETWEEN. */
function split(tokens: readonly Token[], word: 'AND' | 'OR'): Token[][] {
  const depth = tokens[0]?.depth
  const parts: Token[][] = [[]]
  let [between, cases] = [false, 0]
  for (const token of tokens) {
    const top = token.depth === depth
    if (top && token.text === 'CASE') cases++
    if (top && token.text === 'END') cases--
    if (top && token.text === 'BETWEEN') between = true
    if (top && cases === 0 && token.text === word && !(word === 'AND' && between)) parts.push([])
    else parts.at(-1)?.push(token)
    if (top && token.text === 'AND') between = false
  }
  return parts.filter((part) => part.length > 0)
}

/** Replaces `coalesce(a, b)` with `a`, keeping the type of the whole expression. */
function mutateCoalesce(tokens: readonly Token[], at: number, add: Add): void {
  const depth = (tokens[at]?.depth ?? 0) + 1
  const close = tokens.findIndex((token, index) => index > at + 1 && token.depth < depth)
  const comma = tokens.findIndex((token, index) => index > at && token.depth === depth && token.text === ',')
  const [name, open, separator, last] = [tokens[at], tokens[at + 1], tokens[comma], tokens[close]]
  if (!name || !open || !separator || !last || comma > close) return
  const isLast = !tokens.slice(comma + 1, close).some((token) => token.depth === depth && token.text === ',')
  add(
    'coalesce',
    { start: name.start, end: open.end, replace: () => '(CASE WHEN true THEN (' },
    { start: separator.start, end: separator.end, replace: () => (isLast ? ') ELSE (' : ') ELSE coalesce(') },
    { start: last.start, end: last.end, replace: () => ') END)' },
  )
}
