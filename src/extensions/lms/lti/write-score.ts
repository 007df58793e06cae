// Writes one score to a platform: reads the results, writes, and reads them again. The first read makes it safe to
// repeat a write whose response was lost: Canvas would add the comment a second time, and Moodle would refuse an equal
// time.

import type { LmsResponse } from '#src/platform/http/http-client.ts'
import { failedCall, hostOf, isSuccess, LtiError, unreadable } from './lti-error.ts'
import type { Score } from './score.ts'
import { compareResult, isNewer, type ShownResult } from './shown-result.ts'

export type ScoreWritten =
  /** The platform shows the score, or a grade or comment that was given later: nothing is left to do. */
  | { kind: 'verified' }
  /** The platform accepted the score, but shows no results, not this result, or no comments. */
  | { kind: 'written' }

interface ScoreCalls {
  /** The URL of the line item. */
  url: string
  now: () => Date
  /** Reads the results of this learner; null if the platform does not let this tool see results. */
  readResults(): Promise<ShownResult[] | null>
  post(): Promise<LmsResponse>
}

// Moodle returns 400 for a learner who does not exist, is not enrolled, or may not be graded. Canvas returns 422 or
// 412, and also 400 for an older time. Brightspace returns 422 for a role that is not graded.
const recordStatuses = [400, 412, 413, 422]

/** @throws LtiError; `record` if only this score cannot be written */
export async function writeScore(score: Score, { url, now, readResults, post }: ScoreCalls): Promise<ScoreWritten> {
  const host = hostOf(url)
  const isShown = (results: readonly ShownResult[] | null) =>
    results?.some((result) => compareResult(score, result) === 'same') === true
  const before = await readResults()
  if (isShown(before)) return { kind: 'verified' }
  const response = await post()
  const status = response.kind === 'answer' ? response.status : 0
  if (recordStatuses.includes(status))
    throw new LtiError(
      'record',
      `${host} does not accept this score (HTTP ${status}). Check whether the learner exists on the platform, is enrolled in the course, has a role that is graded, or already has a newer grade.`,
    )
  const isConflict = status === 409
  if (!isConflict && !isSuccess(response)) throw failedCall(response, url, now())
  // An HTML page in place of the (empty) response comes from a login page or a proxy, whatever the status.
  if (isSuccess(response) && /^\s*</.test(response.text)) throw unreadable(url, 'a score result')
  const after = before && (await readResults())
  if (isShown(after)) return { kind: 'verified' }
  return isConflict ? afterConflict(score, after ?? [], host) : afterAcceptance(score, after ?? [], host)
}

function afterAcceptance(score: Score, results: ShownResult[], host: string): ScoreWritten {
  if (results.length > 0 && results.every((result) => compareResult(score, result) === 'different'))
    throw new LtiError(
      'record',
      `${host} accepted the score, but shows a different one. Check the learner's grade: it may be locked or overridden, or the column has another maximum.`,
    )
  return { kind: 'written' }
}

/** Interprets status 409. If the platform shows a grade without a time, the 409 means that this grade is newer. */
function afterConflict(score: Score, results: ShownResult[], host: string): ScoreWritten {
  if (results.some((result) => isNewer(score, result) || (result.at === null && result.score !== null)))
    return { kind: 'verified' }
  throw new LtiError(
    'record',
    `${host} refuses the score as older than its current one (HTTP 409), but shows no newer score. Check the learner's grade and the platform's clock.`,
  )
}
