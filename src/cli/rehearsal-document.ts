// What `issue --dry-run --json` answers, and what its lines are made of. Pure.

import type { Rehearsal } from '#src/intake/rehearsal.ts'
import { type BrakeLimits, judgeSize } from '#src/issuance/brake.ts'

export interface RehearsalDocument extends Rehearsal {
  dryRun: true
  pipeline: string
  source: string
  /** Invitations, the canary among them. */
  calls: number
  /** Whether the first call would be one recipient alone. */
  canary: boolean
  /** At the limit of the invitation endpoint, in milliseconds. */
  atLeastMs: number
  /** That limit, in calls a second. */
  limit: number
  /** Why the brake would stop it before the first call; null when it would not. */
  brake: string | null
  notices: readonly string[]
}

export interface RehearsalPlan {
  pipeline: string
  source: string
  notices: readonly string[]
  /** Recipients in one call, as far as the service takes so many. */
  batchSize: number
  needsCanary: boolean
  callsASecond: number
  brake: BrakeLimits | undefined
  /** What each of the pipeline's last runs issued. */
  recentSizes: readonly number[]
}

export function rehearsalDocument(rehearsal: Rehearsal, plan: RehearsalPlan): RehearsalDocument {
  const canary = plan.needsCanary && rehearsal.new > 0
  const alone = canary ? 1 : 0
  const calls = alone + Math.ceil((rehearsal.new - alone) / plan.batchSize)
  const { because, notice } = judgeSize(plan.brake ?? {}, rehearsal.new, plan.recentSizes)
  const { rows, new: fresh, known, changed, duplicates, invalid, problems, recipients, images } = rehearsal
  return {
    dryRun: true,
    pipeline: plan.pipeline,
    source: plan.source,
    ...{ rows, new: fresh, known, changed, duplicates, invalid, calls, canary },
    atLeastMs: (calls / plan.callsASecond) * 1_000,
    limit: plan.callsASecond,
    brake: because,
    problems,
    recipients,
    ...(images ? { images } : {}),
    notices: notice ? [...plan.notices, notice] : plan.notices,
  }
}
