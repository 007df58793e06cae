// Parses a result, which is what a platform shows for a learner in a line item, and compares it with the score that was
// sent. Pure.

import { z } from 'zod'
import type { Score } from './score.ts'

export interface ShownResult {
  userId: string
  /** Null when the learner has no grade in the line item. */
  score: number | null
  /** 1 when the platform reports no maximum (LTI Assignment and Grade Services 2.0, 3.3.4). */
  maximum: number
  /** Empty when there is no comment, or when the platform does not show comments. */
  comment: string
  /** When the learner was graded. Moodle shows this time; Canvas and Blackboard do not document it. */
  at: Date | null
}

const optionalNumber = z.number().nullish().catch(null)

export const resultShape = z
  .looseObject({
    userId: z.union([z.string(), z.number().transform(String)]),
    resultScore: optionalNumber,
    resultMaximum: optionalNumber,
    comment: z.string().nullish().catch(null),
    timestamp: z.string().nullish().catch(null),
  })
  .transform(
    ({ userId, resultScore, resultMaximum, comment, timestamp }): ShownResult => ({
      userId,
      score: resultScore ?? null,
      maximum: resultMaximum || 1,
      comment: comment ?? '',
      at: parseTime(timestamp ?? ''),
    }),
  )

export const resultsType = 'application/vnd.ims.lis.v2.resultcontainer+json'

/**
 * `same`: grade and comment are those that we sent. `without-comment`: the grade is the same, and no comment is shown.
 */
export function compareResult(sent: Score, shown: ShownResult): 'same' | 'without-comment' | 'different' {
  if (shown.score === null || !sameGrade(sent, shown.score, shown.maximum)) return 'different'
  if (normalized(shown.comment) === normalized(sent.comment)) return 'same'
  return normalized(shown.comment) === '' ? 'without-comment' : 'different'
}

/** True when the learner was graded later than the time of our score. */
export function isNewer(sent: Score, shown: ShownResult): boolean {
  return shown.at !== null && shown.at.getTime() > sent.at.getTime()
}

/**
 * Compares grades. A platform scales a grade to the maximum of its column. Moodle may report a maximum other than the
 * one it scaled to (the grade's own `rawgrademax`, for a column without an activity), so an equal number of points is
 * also a match.
 */
function sameGrade(sent: Score, score: number, maximum: number): boolean {
  // Moodle stores five decimals.
  const isClose = (a: number, b: number) => Math.abs(a - b) <= 1e-4 * Math.max(1, Math.abs(b))
  return isClose(score, sent.scoreGiven) || isClose(score / maximum, sent.scoreGiven / sent.scoreMaximum)
}

function normalized(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function parseTime(text: string): Date | null {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? null : new Date(ms)
}
