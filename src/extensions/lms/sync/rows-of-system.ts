// The rows of a run of completions, which are in the ledger instead of a file, and the hash of the rules by which they
// are checked. Reads the database through `CompletionsOfRun`.

import { createHash } from 'node:crypto'
import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import type { CompletionRow } from '#src/extensions/lms/ledger/completions.ts'
import type { InboundSystem } from '#src/extensions/lms/systems/inbound-system.ts'
import type { Source, SourceRow } from '#src/files/tables/source.ts'
import type { RowsOf } from '#src/issuing/intake/rows-of-run.ts'
import { isCompletionsPath } from '#src/ledger/runs/completions-path.ts'
import { canonicalJson } from '#src/platform/text.ts'
import type { LearningSystems } from './open-learning-systems.ts'

export const rowsOfSystems =
  ({ ledger, learning }: { ledger: { completions: CompletionsOfRun }; learning: LearningSystems }): RowsOf =>
  (run) => {
    if (!isCompletionsPath(run.sourcePath)) return null
    const system = run.sourceName
    return {
      open: () => openCompletions(ledger.completions, run, learning.titlesOf(system)),
      rulesHash: (pipeline, fields) => rulesHashOf(pipeline, fields, learning.endpoint(system)),
    }
  }

interface CompletionsOfRun {
  /** The titles of all columns that appear in any row of the run. */
  columnsOf(runId: string): Promise<string[]>
  rowsOf(runId: string): AsyncIterable<CompletionRow[]>
}

/**
 * Presents the completions of a run as a source of rows, as if they were a file with column titles.
 * @param titles columns that are included even if no row of this run fills them
 */
export async function openCompletions(
  completions: CompletionsOfRun,
  run: { id: string; sourceName: string },
  titles: readonly string[],
): Promise<Source> {
  const header = [...new Set([...titles, ...(await completions.columnsOf(run.id))])]
  // As in a workbook, a quotation mark has no special meaning.
  const kinds = header.map(() => 'text' as const)
  const rowOf = ({ row, cells, occasion }: CompletionRow): SourceRow => ({
    row,
    cells: header.map((title) => cells[title] ?? ''),
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
 * Returns a SHA-256 hash, in hex, of all settings that determine how a completion becomes a row and how the row is
 * checked. The hash is stored: when it changes, rows are checked again. Settings for deliveries, certificates, shares
 * and brakes are excluded, because changing them must not cause rows to be checked again.
 * @param trustedSystem the system whose events are trusted; null for a system that is polled
 */
export function rulesHashOf(
  pipeline: PipelineSettings,
  fields: readonly Field[],
  trustedSystem: Pick<InboundSystem, 'mapping'> | null,
): string {
  const { writeBack: _writeBack, archive: _archive, share: _share, brake: _brake, ...checkedSettings } = pipeline
  const rules = {
    checked: checkedSettings,
    fields,
    mapped: trustedSystem?.mapping ?? null,
  }
  return createHash('sha256')
    .update(canonicalJson(JSON.parse(JSON.stringify(rules))))
    .digest('hex')
}
