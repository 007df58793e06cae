// Finds the strings of a TypeScript file that contain SQL. Pure.

import { parseAst } from 'vitest/node'

export interface SqlLiteral {
  /** The position in the file where the text begins, after the quotation mark. */
  start: number
  /** The text as written in the file; each `${…}` is masked with as many characters that are not SQL. */
  text: string
}

const sql = /\b(SELECT|INSERT|UPDATE|DELETE|WHERE|ORDER BY|AND|OR|ON CONFLICT|FOR UPDATE|IS NULL|coalesce\()/

interface Node {
  type: string
  start: number
  end: number
  value?: unknown
  expressions?: Node[]
}

export function sqlLiteralsOf(source: string): SqlLiteral[] {
  const found: SqlLiteral[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each)
    if (typeof node !== 'object' || node === null || !('type' in node)) return
    const { type, start, end, value, expressions } = node as Node
    if (type === 'ImportDeclaration') return
    if (type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string')) {
      let text = source.slice(start + 1, end - 1)
      for (const hole of expressions ?? []) {
        // Includes the braces around the expression, which may have spaces inside.
        const from = source.lastIndexOf('${', hole.start) - start - 1
        const to = source.indexOf('}', hole.end) - start
        text = `${text.slice(0, from)}\${${'_'.repeat(to - from - 3)}}${text.slice(to)}`
      }
      if (sql.test(text)) found.push({ start: start + 1, text })
    }
    for (const [name, child] of Object.entries(node)) if (name !== 'parent') visit(child)
  }
  visit(parseAst(source, { lang: 'ts' }).body)
  return found
}
