// Presents the completions of a learning system as a source of rows, as if they were a file with column titles. Reads
// the database through `CompletionsOfRun`.

import type { CompletionRow } from '#src/extensions/lms/ledger/completions.ts'
import { inLanguage } from '#src/extensions/lms/moodle/multilang.ts'
import { shownCourseName } from '#src/extensions/lms/systems/completion-cells.ts'
import type { Source, SourceRow } from '#src/files/tables/source.ts'

export interface CompletionsOfRun {
  /** The titles of all columns that appear in any row of the run. */
  columnsOf(runId: string): Promise<string[]>
  rowsOf(runId: string): AsyncIterable<CompletionRow[]>
}

/**
 * @param titles columns that are included even if no row of this run fills them
 * @param language the language to select from text in several languages. If it is null, such text is kept unchanged,
 * and its row is rejected
 */
export async function openCompletions(
  completions: CompletionsOfRun,
  run: { id: string; sourceName: string },
  titles: readonly string[],
  language: string | null,
): Promise<Source> {
  const all = new Set([...titles, ...(await completions.columnsOf(run.id))])
  const header = [...all].filter((title) => title !== shownCourseName)
  // As in a workbook, a quotation mark has no special meaning.
  const kinds = header.map(() => 'text' as const)
  const rowOf = ({ row, cells, occasion }: CompletionRow): SourceRow => ({
    row,
    cells: header.map((title) => {
      const shown = title === 'coursename' && language === null ? cells[shownCourseName] : undefined
      return shown ?? selectLanguage(cells[title] ?? '', language)
    }),
    kinds,
    ...(occasion && { occasion }),
  })
  return {
    name: run.sourceName,
    completionsOf: run.sourceName,
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

/**
 * Selects the chosen language. Text that has no part in that language is kept unchanged, so that no credential is
 * issued with a missing name.
 */
const selectLanguage = (text: string, language: string | null) =>
  language === null ? text : inLanguage(text, language).trim() || text
