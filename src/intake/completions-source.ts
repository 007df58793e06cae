// Completions that a learning system told, as a source like any file: what was heard becomes rows of text under titles.

import type { CompletionRow } from '#src/ledger/completions.ts'
import type { Source, SourceRow } from '#src/sources/source.ts'

export interface CompletionsOfRun {
  /** Titles of all columns that any row has. */
  columnsOf(runId: string): Promise<string[]>
  rowsOf(runId: string): AsyncIterable<CompletionRow[]>
}

/** @param titles columns that are there whether or not a row of this run fills them */
export async function openCompletions(
  completions: CompletionsOfRun,
  run: { id: string; sourceName: string },
  titles: readonly string[],
): Promise<Source> {
  const header = [...new Set([...titles, ...(await completions.columnsOf(run.id))])]
  const rowOf = ({ row, cells, occasion }: CompletionRow): SourceRow => ({
    row,
    cells: header.map((title) => cells[title] ?? ''),
    ...(occasion && { occasion }),
  })
  return {
    name: run.sourceName,
    format: 'csv',
    header,
    notices: [],
    images: null,
    merged: [],
    async *batches() {
      for await (const rows of completions.rowsOf(run.id)) yield rows.map(rowOf)
    },
    async [Symbol.asyncDispose]() {},
  }
}
