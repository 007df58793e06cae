// Builds the document of `issue --dry-run --json`, from which the lines of text are also made. Pure.

import { type BrakeLimits, checkSize } from '#src/domain/credential/brake.ts'
import type { DryRun } from './dry-run-rows.ts'

export interface DryRunDocument extends Omit<DryRun, 'unmasked'> {
  dryRun: true
  pipeline: string
  source: string
  /** The number of invitations, including the canary. */
  calls: number
  /** True if the first call would contain a single recipient. */
  canary: boolean
  /** The minimum duration of the calls at the rate limit of the invitation endpoint, in milliseconds. */
  atLeastMs: number
  /** The limit of the invitation endpoint, in calls per second. */
  limit: number
  /** Why the brake would stop the run before its first call; null if it would not. */
  brake: string | null
  /** Why a first list would wait for an operator although the brake allows its size; otherwise omitted. */
  reportShows?: string
  notices: readonly string[]
}

export interface DryRunPlan {
  pipeline: string
  source: string
  notices: readonly string[]
  /** The number of recipients in one call, reduced to what the service accepts. */
  batchSize: number
  needsCanary: boolean
  callsPerSecond: number
  brake: BrakeLimits | undefined
  /** How many rows each of the pipeline's last runs issued. */
  recentSizes: readonly number[]
  /** How many rows of the pipeline were issued in the last 24 hours without an operator's decision. */
  issuedToday: number
  /** Why a first list would wait for an operator, because of what the report shows; null if it would not. */
  reportShows: string | null
}

export function dryRunDocument(dryRun: DryRun, plan: DryRunPlan): DryRunDocument {
  const canary = plan.needsCanary && dryRun.new > 0
  const canaryCalls = canary ? 1 : 0
  const calls = canaryCalls + Math.ceil((dryRun.new - canaryCalls) / plan.batchSize)
  const { because, notice } = checkSize(plan.brake ?? {}, dryRun.new, plan.recentSizes, plan.issuedToday)
  const { rows, new: newRows, known, changed, duplicates, notMeant, invalid, problems, recipients, images } = dryRun
  return {
    dryRun: true,
    pipeline: plan.pipeline,
    source: plan.source,
    rows,
    new: newRows,
    known,
    changed,
    duplicates,
    notMeant,
    invalid,
    calls,
    canary,
    atLeastMs: (calls / plan.callsPerSecond) * 1_000,
    limit: plan.callsPerSecond,
    brake: because,
    ...(plan.reportShows !== null && { reportShows: plan.reportShows }),
    problems,
    recipients,
    ...(images ? { images } : {}),
    notices: notice ? [...plan.notices, notice] : plan.notices,
  }
}
