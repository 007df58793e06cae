// Approves or rejects a run that the brake holds, or that is the first list of a course for which the report already
// shows credentials. Writes to the ledger.

import type { Ledger } from '#src/ledger/ledger.ts'
import type { OperatorDecision } from '#src/ledger/operator-decision.ts'
import { isCompletionsPath } from '#src/ledger/runs/completions-path.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import { RefusedDecisionError } from './refused-decision-error.ts'

export type BrakeChoice = 'approve' | 'reject'

/**
 * @param seen when the run was braked, as the operator saw it; null if that does not matter
 * @throws RefusedDecisionError if the run is not braked, or has been braked again since the operator saw it
 */
export async function decideBrakedRun(
  { ledger }: { ledger: Pick<Ledger, 'brake' | 'runs'> },
  id: string,
  choice: BrakeChoice,
  decision: OperatorDecision,
  seen: Date | null = null,
): Promise<Run> {
  const isDecided = await (choice === 'approve'
    ? ledger.brake.approve(id, decision, seen)
    : ledger.brake.reject(id, decision, seen))
  const run = await ledger.runs.find(id)
  if (!run || !isDecided) throw new RefusedDecisionError(whyUndecided(id, run))
  return run
}

/** Explains why a run cannot be approved or rejected. Pure. */
export function whyUndecided(id: string, run: Run | null): string {
  if (run?.state === 'braked') return `Run ${id} has been braked again since you saw it. Nothing was changed.`
  return `Run ${id} is not braked: ${statusOf(run)} Nothing was changed.`
}

function statusOf(run: Run | null): string {
  if (run?.state === 'refused') return `it was refused (${run.refusal}).`
  if (run?.approval) return `it was approved by ${run.approval.by}.`
  return run?.state === 'published' ? 'it was published.' : 'it has not been read yet.'
}

/** Describes how much of a run is issued once it is approved, and what must not happen until then. Pure. */
export function approvedWords({ brake, sourcePath }: Pick<Run, 'brake' | 'sourcePath'>): {
  extent: string
  condition: string
} {
  return {
    extent: brake?.shown ? 'except for people who are already in the ledger by then' : 'regardless of its size',
    condition: isCompletionsPath(sourcePath) ? '' : ' The file must not have changed in the meantime.',
  }
}
