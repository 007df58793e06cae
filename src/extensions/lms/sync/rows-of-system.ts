// The rows of a run of completions: they are in the ledger instead of a file.

import type { RowsOf } from '#src/issuing/intake/rows-of-run.ts'
import { isCompletionsPath } from '#src/ledger/runs/completions-path.ts'
import { openCompletions } from './completions-source.ts'
import { type LearningTools, noteEmptyColumns } from './empty-columns.ts'
import { rulesHashOf } from './rules-hash.ts'

export const rowsOfSystems =
  (parts: LearningTools): RowsOf =>
  (run) => {
    if (!isCompletionsPath(run.sourcePath)) return null
    const { ledger, learning } = parts
    const system = run.sourceName
    const language = learning.languageOf(system)
    return {
      open: () => openCompletions(ledger.completions, run, learning.titlesOf(system), language),
      rulesHash: (pipeline, fields) => rulesHashOf(pipeline, fields, learning.endpoint(system), language),
      afterPublication: () => noteEmptyColumns(parts, run),
    }
  }
