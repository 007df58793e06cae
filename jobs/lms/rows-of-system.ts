// The rows of a run of completions, for its intake: they are in the ledger instead of a file.

import type { RowsOfRun } from '#jobs/intake.ts'
import type { Tools } from '#jobs/job-tools.ts'
import { openCompletions } from '#src/extensions/lms/sync/completions-source.ts'
import { rulesHashOf } from '#src/extensions/lms/sync/rules-hash.ts'
import { isCompletionsPath } from '#src/ledger/runs/completions-path.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import { noteEmptyColumns } from './empty-columns.ts'

/** Null if the run is one of a file. */
export function rowsOfSystem(tools: Pick<Tools, 'ledger' | 'learning' | 'log'>, run: Run): RowsOfRun | null {
  if (!isCompletionsPath(run.sourcePath)) return null
  const { ledger, learning } = tools
  const system = run.sourceName
  const language = learning.languageOf(system)
  return {
    open: () => openCompletions(ledger.completions, run, learning.titlesOf(system), language),
    rulesHash: (pipeline, fields) => rulesHashOf(pipeline, fields, learning.endpoint(system), language),
    afterPublication: () => noteEmptyColumns(tools, run),
  }
}
