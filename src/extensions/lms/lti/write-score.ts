// Writes one score to a platform: reads the results, writes, and reads them again. The first read makes it safe to
// repeat a write whose response was lost: Canvas would add the comment a second time, and Moodle would refuse an equal
// time.

import type { LmsResponse } from '#src/platform/http/http-client.ts'
import { classifyLtiFailure, hostOf, isSuccess, type LtiFailure, unreadable } from './failure.ts'
import type { Score } from './score.ts'
import { compareResult, isNewer, type ShownResult } from './shown-result.ts'

export type ScoreWriteResult =
  /**
   * `ours`: the platform shows the score. `newer`: it keeps a grade or comment that was given later than this score, so
   * nothing is left to do.
   */
  | { kind: 'verified'; shown: 'ours' | 'newer' }
  /** The platform accepted the score, but shows no results, not this result, or no comments. */
  | { kind: 'written' }
  /** This score cannot be written; others can. `why` is a message that does not name the learner. */
  | { kind: 'record'; why: string }
  | LtiFailure

export type ScoreReading =
  /** The results of this learner only. */
  | { kind: 'results'; results: ShownResult[] }
  /** The platform does not let this tool see results. */
  | { kind: 'hidden' }
  | LtiFailure

export interface ScoreContext {
  readResults(): Promise<ScoreReading>
  postScore(): Promise<LmsResponse | LtiFailure>
}

// Moodle returns 400 for a learner who does not exist, is not enrolled, or may not be graded. Canvas returns 422 or
// 412, and also 400 for an older time. Brightspace returns 422 for a role that is not graded.
const recordStatuses = [400, 412, 413, 422]

export async function writeScore(
  score: Score,
  { readResults, postScore }: ScoreContext,
  lineItemUrl: string,
  now: () => Date,
): Promise<ScoreWriteResult> {
  const before = await readResults()
  if (before.kind === 'refused' || before.kind === 'later') return before
  if (before.kind === 'results' && isShown(score, before.results)) return verifiedAsOurs
  const response = await postScore()
  if (response.kind === 'refused' || response.kind === 'later') return response
  const host = hostOf(lineItemUrl)
  if (response.kind === 'answer' && recordStatuses.includes(response.status))
    return { kind: 'record', why: rejectionReason(host, response.status) }
  const isConflict = response.kind === 'answer' && response.status === 409
  if (!isConflict && !isSuccess(response)) return classifyLtiFailure(response, lineItemUrl, now())
  // An HTML page in place of the (empty) response comes from a login page or a proxy, whatever the status.
  if (isSuccess(response) && /^\s*</.test(response.text)) return unreadable(lineItemUrl, 'a score result')
  const after = before.kind === 'hidden' ? before : await readResults()
  if (after.kind === 'refused' || after.kind === 'later') return after
  const results = after.kind === 'results' ? after.results : []
  if (isShown(score, results)) return verifiedAsOurs
  return isConflict ? conflictResult(score, results, host) : acceptedResult(score, results, host)
}

const verifiedAsOurs: ScoreWriteResult = { kind: 'verified', shown: 'ours' }

const isShown = (score: Score, results: readonly ShownResult[]) =>
  results.some((result) => compareResult(score, result) === 'same')

function acceptedResult(score: Score, results: ShownResult[], host: string): ScoreWriteResult {
  if (results.every((result) => compareResult(score, result) === 'different') && results.length > 0)
    return {
      kind: 'record',
      why: `${host} accepted the score, but shows a different one. Check the learner's grade: it may be locked or overridden, or the column has another maximum.`,
    }
  return { kind: 'written' }
}

/** Interprets status 409. If the platform shows a grade without a time, the 409 means that this grade is newer. */
function conflictResult(score: Score, results: ShownResult[], host: string): ScoreWriteResult {
  if (results.some((result) => isNewer(score, result) || (result.at === null && result.score !== null)))
    return { kind: 'verified', shown: 'newer' }
  return {
    kind: 'record',
    why: `${host} refuses the score as older than its current one (HTTP 409), but shows no newer score. Check the learner's grade and the platform's clock.`,
  }
}

function rejectionReason(host: string, status: number): string {
  return `${host} does not accept this score (HTTP ${status}). Check whether the learner exists on the platform, is enrolled in the course, has a role that is graded, or already has a newer grade.`
}
