// Which runs a visitor may see: the one that an address names, and those that a page would name.

import type { Run } from '#src/ledger/runs/runs.ts'
import { type Console, scopeOf, type Visit } from './visit.ts'

/** Null if there is none, or it belongs to another environment or to a pipeline that the visitor does not see. */
export async function visibleRun({ parts }: Console, { params, visitor }: Visit): Promise<Run | null> {
  const id = params.id ?? ''
  return (await parts.ledger.runPages.isVisible(id, scopeOf(visitor))) ? parts.ledger.runs.find(id) : null
}

/** Those of the runs that the visitor sees. The same people may be on lists of other pipelines for the same course. */
export async function visibleRuns(
  { parts }: Console,
  { visitor }: Pick<Visit, 'visitor'>,
  runs: readonly string[],
): Promise<ReadonlySet<string>> {
  const distinct = [...new Set(runs)]
  const scope = scopeOf(visitor)
  return new Set(scope === null ? distinct : await parts.ledger.runPages.visible(distinct, scope))
}
