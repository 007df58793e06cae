// Writes the rows of a run from the ledger into a table: all of them as results, or only the invalid ones.

import type { TableWriter } from '#src/files/tables/table-writer.ts'
import { resultFormat } from '#src/issuing/results/result-format.ts'
import { invalidHeader, invalidLine, resultHeader, resultLine } from '#src/issuing/results/result-lines.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import type { ResultRow } from '#src/ledger/runs/write-backs.ts'
import type { Tools } from './job-tools.ts'

export interface RunTable {
  kind: 'results' | 'invalid'
  outcomes: readonly ResultRow['outcome'][]
  headerOf: typeof resultHeader
  lineOf: typeof resultLine
}

export const resultsTable: RunTable = {
  kind: 'results',
  outcomes: ['accepted', 'skipped', 'invalid'],
  headerOf: resultHeader,
  lineOf: resultLine,
}

export const invalidTable: RunTable = {
  kind: 'invalid',
  outcomes: ['invalid'],
  headerOf: invalidHeader,
  lineOf: invalidLine,
}

export function tableOptions(table: RunTable, run: Run, header: readonly string[]) {
  return { ...resultFormat(run), header: table.headerOf(header) }
}

/** Writes every row and closes the table, so that the file is replaced completely or not at all. */
export async function writeTable(
  ledger: Tools['ledger'],
  run: Run,
  { outcomes, lineOf }: RunTable,
  writer: TableWriter,
): Promise<void> {
  const header = run.header ?? []
  try {
    await ledger.writeBacks.readRows(run.id, outcomes, async (rows) => {
      for (const row of rows) await writer.write(lineOf(row, header))
    })
    await writer.close()
  } catch (error) {
    await writer.abort()
    throw error
  }
}
