// Writes tables of a run from the ledger: all of its rows as results, only the invalid ones, or the people whom a
// decision about the run is about.

import type { TableWriter } from '#src/files/tables/table-writer.ts'
import { heldCells, heldHeader } from '#src/issuing/results/held-people.ts'
import {
  invalidHeader,
  invalidLine,
  resultFormat,
  resultHeader,
  resultLine,
} from '#src/issuing/results/result-lines.ts'
import { isCompletionsPath } from '#src/ledger/runs/completions-path.ts'
import type { HeldPerson } from '#src/ledger/runs/rows-from-elsewhere.ts'
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

/**
 * Writes a table of the people to whom a braked run of completions would issue credentials, for the operator who
 * decides about the run. Runs from files need no such table: the file's owner already has the list.
 */
export async function writeHeldPeople(
  { ledger, outbox }: Pick<Tools, 'ledger' | 'outbox'>,
  runId: string,
): Promise<void> {
  const run = await ledger.runs.find(runId)
  if (run?.state !== 'braked' || !isCompletionsPath(run.sourcePath)) return
  const people = await ledger.elsewhere.held(run.id)
  await writePeople(people, (header) => outbox.open(run, { kind: 'waiting', format: 'csv', header }))
}

/** @param open returns null if no file is to be written */
export async function writePeople(
  people: readonly HeldPerson[],
  open: (header: string[]) => Promise<TableWriter | null>,
): Promise<void> {
  const header = heldHeader(people)
  const writer = await open(header)
  if (!writer) return
  try {
    for (const person of people) await writer.write(heldCells(person, header))
    await writer.close()
  } catch (error) {
    await writer.abort()
    throw error
  }
}
