// Lists all mutants of the ledger's statements, and marks their places in the source with SQL comments. The comments
// reach the database driver with each statement, so a process can activate a mutant, and knows which mutants a test
// executes.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sqlLiteralsOf } from './sql-literals.ts'
import { mutationsOf, type Part } from './sql-mutations.ts'

export const root = resolve(import.meta.dirname, '../../..')
const folder = 'src/ledger'

export interface Mutant {
  id: number
  /** Stays the same as long as the statement does, wherever the statement is in its file. */
  key: string
  /** Relative to the repository's root. */
  file: string
  line: number
  kind: string
  /** The text that the mutant changes. */
  text: string
  /** The line of the source in which it begins. */
  lineText: string
  parts: Part[]
}

/** Returns the mutants in a fixed order, so that a mutant has the same id in every process. */
export function allMutants(): Mutant[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .flatMap((name) => {
      const file = join(folder, name)
      return mutantsOf(file, readFileSync(join(root, file), 'utf8'))
    })
    .map((mutant, id) => ({ ...mutant, id }))
}

/** The folder of src/ledger, or the file directly in it, that contains the statement. */
export const roomOf = ({ file }: Pick<Mutant, 'file'>) => file.split('/')[2]?.replace(/\.ts$/, '') ?? ''

/** Returns the mutants of one file. The positions of their parts are positions in the file. */
function mutantsOf(file: string, source: string): Omit<Mutant, 'id'>[] {
  const literals = sqlLiteralsOf(source)
  return literals.flatMap((literal, at) => {
    const same = literals.slice(0, at).filter(({ text }) => text === literal.text).length
    return mutationsOf(literal.text).map(({ kind, parts }, index) => {
      const key = createHash('sha1').update([file, literal.text, same, kind, index].join(' ')).digest('hex')
      const moved = parts.map((part) => ({ ...part, start: part.start + literal.start, end: part.end + literal.start }))
      const [from, to] = [moved[0]?.start ?? 0, moved.at(-1)?.end ?? 0]
      const line = source.slice(0, from).split('\n').length
      const lineText = source.split('\n')[line - 1] ?? ''
      return { key, file, line, kind, text: source.slice(from, to).replace(/\s+/g, ' '), lineText, parts: moved }
    })
  })
}

const opening = (id: number, part: number) => `/*{${id}.${part}*/`
const closing = (id: number, part: number) => `/*${id}.${part}}*/`

/** Returns a file's source with the marks of its mutants. */
export function marked(source: string, mutants: readonly Mutant[]): string {
  const marks = mutants.flatMap(({ id, parts }) =>
    parts.flatMap(({ start, end }, part) => [
      { at: start, rank: 1, size: start - end, text: opening(id, part) },
      { at: end, rank: 0, size: end - start, text: closing(id, part) },
    ]),
  )
  // At the same position, closing marks come before opening ones, and outer marks enclose inner ones.
  marks.sort((a, b) => a.at - b.at || a.rank - b.rank || a.size - b.size)
  let [text, from] = ['', 0]
  for (const mark of marks) {
    text += source.slice(from, mark.at) + mark.text
    from = mark.at
  }
  return text + source.slice(from)
}

/** Returns the ids of the mutants whose marks a statement contains. */
export const mutantsIn = (statement: string) =>
  [...statement.matchAll(/\/\*\{(\d+)\.0\*\//g)].map((match) => Number(match[1]))

/** Returns the statement as the mutant changes it; unchanged if it does not contain the mutant. */
export function mutated(statement: string, { id, parts }: Mutant): string {
  let text = statement
  for (const [number, part] of parts.entries()) {
    const [open, close] = [opening(id, number), closing(id, number)]
    text = text
      .split(open)
      .map((piece, index) => {
        if (index === 0) return piece
        const [inside = '', ...after] = piece.split(close)
        return part.replace(inside) + after.join(close)
      })
      .join('')
  }
  return text
}
