// Writes a table of the people to whom a braked run of completions would issue credentials, for the operator who
// decides about the run. Runs from files need no such table: the file's owner already has the list.

import type { TableWriter } from '#src/files/tables/table-writer.ts'
import { heldCells, heldHeader } from '#src/issuing/results/held-people.ts'
import { isCompletionsPath } from '#src/ledger/runs/completions-path.ts'
import type { HeldPerson } from '#src/ledger/runs/rows-from-elsewhere.ts'
import type { Tools } from './job-tools.ts'

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
