// Splits the SQL in a string of the source into tokens. Pure.

export interface Token {
  text: string
  start: number
  end: number
  /** The number of parentheses around the token. A parenthesis is not inside itself. */
  depth: number
}

// In this order: comments, strings, quoted names, `${…}` as masked by sql-literals.ts, words, parameters, numbers,
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
