// The run that an address names, if the visitor may see it.

import type { Run } from '#src/ledger/runs/runs.ts'
import { type Console, scopeOf, type Visit } from './visit.ts'

/** Null if there is none, or it belongs to another environment or to a pipeline that the visitor does not see. */
export async function visibleRun({ parts }: Console, { params, visitor }: Visit): Promise<Run | null> {
  const id = params.id ?? ''
  return (await parts.ledger.runPages.isVisible(id, scopeOf(visitor))) ? parts.ledger.runs.find(id) : null
}
