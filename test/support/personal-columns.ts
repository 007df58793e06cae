// What the migrations say about people, in their comments on tables and columns. Reads the files only.

import { readFileSync } from 'node:fs'
import { migrationFiles } from './migration-files.ts'

const statement = /COMMENT ON (TABLE|COLUMN) ([\w.]+) IS\s+((?:'(?:[^']|'')*'\s*)+);/g

/** The text of each comment by what it describes: a table, or `table.column`. In the order of the migrations. */
const comments = new Map(
  migrationFiles
    .flatMap(({ path }) => [...readFileSync(path, 'utf8').matchAll(statement)])
    .map(([, , name = '', text = '']) => [
      name,
      [...text.matchAll(/'((?:[^']|'')*)'/g)].map(([, part = '']) => part.replaceAll("''", "'")).join(''),
    ]),
)

export interface PersonalColumn {
  table: string
  column: string
}

/** The columns that may hold what identifies or describes a recipient. */
export const personalColumns: readonly PersonalColumn[] = [...comments]
  .filter(([, text]) => text.startsWith('personal: '))
  .map(([name]) => {
    const [table = '', column = ''] = name.split('.')
    return { table, column }
  })

/** The tables of docs/personal-data.md. */
export function inventoryPage(): string {
  const personal = [...comments].flatMap(([name, text]) => {
    const [, what, why, emptied] = /^personal: (.*)\. Why: (.*)\. Forgotten: (.*)\.$/.exec(text) ?? []
    if (emptied === undefined) return []
    const kept = comments.get(name.split('.')[0] ?? '')?.replace(/^kept /, '') ?? ''
    return [[`\`${name}\``, what, why, kept, emptied]]
  })
  const others = [...comments].flatMap(([name, text]) => {
    const [, kind, what] = /^(pseudonymous|staff): (.*)$/.exec(text) ?? []
    return kind ? [[`\`${name}\``, kind, what]] : []
  })
  return [
    '### Personal data of recipients',
    table(['column', 'what', 'why', 'how long', 'when the person is forgotten'], personal),
    '### Pseudonymous data, and data about operators',
    table(['column', 'kind', 'what'], others),
  ].join('\n\n')
}

function table(head: readonly string[], rows: readonly (string | undefined)[][]): string {
  const line = (cells: readonly (string | undefined)[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
