// The inventory of the ledger: every column of every table, whether it holds personal data, why, how long, and how it
// is emptied. A test compares it with the catalogue of a migrated database; docs/privacy.md shows it.

import type { TableInventory } from './table-inventory.ts'
import { tablesOfPeople } from './tables-of-people.ts'
import { tablesOfWork } from './tables-of-work.ts'

export const inventory: Readonly<Record<string, TableInventory>> = { ...tablesOfPeople, ...tablesOfWork }

/** The names of all columns of a table that the inventory lists, each once for each time that it is listed. */
export function listedColumns({ personal = {}, pseudonymous = {}, staff = {}, others }: TableInventory): string[] {
  return [...Object.keys({ ...personal }), ...Object.keys(pseudonymous), ...Object.keys(staff), ...others.split(/\s+/)]
}

/** Every column with personal data. */
export function personalColumns(): { table: string; column: string }[] {
  return Object.entries(inventory).flatMap(([table, { personal = {} }]) =>
    Object.keys(personal).map((column) => ({ table, column })),
  )
}

/** The inventory as the tables of docs/privacy.md: first what is personal, then everything else. */
export function inventoryPage(): string {
  const tables = Object.entries(inventory)
  const personal = tables.flatMap(([table, { personal = {}, kept }]) =>
    Object.entries(personal).map(([column, { holds, why, emptied }]) => [
      `\`${table}.${column}\``,
      holds,
      why,
      kept,
      emptied,
    ]),
  )
  const named = tables.flatMap(([table, { pseudonymous = {}, staff = {} }]) => [
    ...Object.entries(pseudonymous).map(([column, holds]) => [`\`${table}.${column}\``, 'pseudonymous', holds]),
    ...Object.entries(staff).map(([column, holds]) => [`\`${table}.${column}\``, 'staff', holds]),
  ])
  const kept = tables.map(([table, { holds, kept, others }]) => [
    `\`${table}\``,
    holds,
    kept,
    others
      .split(/\s+/)
      .map((column) => `\`${column}\``)
      .join(' '),
  ])
  return [
    '### Personal data of recipients',
    table(['column', 'what', 'why', 'how long', 'when the person is forgotten'], personal),
    '### Pseudonymous data, and data about operators',
    table(['column', 'kind', 'what'], named),
    '### All tables, with their other columns',
    table(['table', 'one row is', 'kept', 'columns without personal data'], kept),
  ].join('\n\n')
}

function table(head: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
