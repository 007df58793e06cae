// What a platform shows of a learner in a line item (a result), and whether it is what we told it. Pure.

import { z } from 'zod'
import type { Score } from './score.ts'

export interface ShownResult {
  userId: string
  /** Null when the learner has no grade there. */
  score: number | null
  /** 1 where the platform does not say (LTI Assignment and Grade Services 2.0, 3.3.4). */
  maximum: number
  /** Empty when there is none, or when the platform does not show comments. */
  comment: string
  /** When it was graded. Moodle shows it; Canvas and Blackboard do not document it. */
  at: Date | null
}

const number = z.number().nullish().catch(null)

export const resultShape = z
  .looseObject({
    userId: z.union([z.string(), z.number().transform(String)]),
    resultScore: number,
    resultMaximum: number,
    comment: z.string().nullish().catch(null),
    timestamp: z.string().nullish().catch(null),
  })
  .transform(
    ({ userId, resultScore, resultMaximum, comment, timestamp }): ShownResult => ({
      userId,
      score: resultScore ?? null,
      maximum: resultMaximum || 1,
      comment: comment ?? '',
      at: instantOf(timestamp ?? ''),
    }),
  )

export const resultsType = 'application/vnd.ims.lis.v2.resultcontainer+json'

/**
 * `same`: grade and comment are ours. `without-comment`: the grade is ours, and no comment is shown.
 */
export function compareResult(told: Score, shown: ShownResult): 'same' | 'without-comment' | 'different' {
  if (shown.score === null || !sameGrade(told, shown.score, shown.maximum)) return 'different'
  if (folded(shown.comment) === folded(told.comment)) return 'same'
  return folded(shown.comment) === '' ? 'without-comment' : 'different'
}

/** Whether what is shown was graded after our score. */
export function isNewer(told: Score, shown: ShownResult): boolean {
  return shown.at !== null && shown.at.getTime() > told.at.getTime()
}

/**
 * A platform converts a grade to the column's maximum. Moodle may name another maximum than the one it converted to (the grade's own
 * `rawgrademax`, for a column without an activity), so the bare number counts too.
 */
function sameGrade(told: Score, score: number, maximum: number): boolean {
  // Moodle keeps five decimals.
  const near = (a: number, b: number) => Math.abs(a - b) <= 1e-4 * Math.max(1, Math.abs(b))
  return near(score, told.scoreGiven) || near(score / maximum, told.scoreGiven / told.scoreMaximum)
}

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function instantOf(text: string): Date | null {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? null : new Date(ms)
}
