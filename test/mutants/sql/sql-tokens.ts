// Splits SQL, as it stands in a string of the source, into tokens. Pure.

export interface Token {
  text: string
  start: number
  end: number
  /** Number of parentheses around it. A parenthesis itself belongs to the outside. */
  depth: number
}

// In this order: comments, strings, names in quotes, `${…}` as masked by sql-literals.ts, words, parameters, numbers,
// parentheses, separators, operators.
const pattern =
  /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|\$\{[^}]*\}|[A-Za-z_]\w*|\$\d+|\d+(?:\.\d+)?|[()[\]]|[,;.]|::|[-+*/<>=~!@#%^&|`?]+|\S/g

export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = []
  let depth = 0
  for (const { 0: text, index } of sql.matchAll(pattern)) {
    if (text.startsWith('--')) continue
    if (text === ')' || text === ']') depth--
    tokens.push({ text, start: index, end: index + text.length, depth })
    if (text === '(' || text === '[') depth++
  }
  return tokens
}
