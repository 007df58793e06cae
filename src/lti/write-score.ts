// The story of one score: look, tell, look again. Looking first makes it safe to repeat after an answer that was lost: Canvas would add
// the comment a second time, and Moodle refuse the same instant.

import type { Score } from './score.ts'
import { compareResult, isNewer, type ShownResult } from './shown-result.ts'
import { hostOf, isTaken, type Trouble, troubleOf, unreadable } from './trouble.ts'
import type { Heard } from './wire.ts'

export type Written =
  /**
   * The platform shows it. `newer`: it shows another grade or comment, given later than this one, which it keeps; that is done too.
   */
  | { kind: 'verified'; standing: 'ours' | 'newer' }
  /** The platform took it, and does not show results, or not this one, or no comments. */
  | { kind: 'written' }
  /** This one can't be written, others can. `why` is a sentence without the learner. */
  | { kind: 'record'; why: string }
  | Trouble

export type Looked =
  /** Of this learner only. */
  | { kind: 'results'; results: ShownResult[] }
  /** The platform does not let this tool see results. */
  | { kind: 'hidden' }
  | Trouble

export interface Desk {
  look(): Promise<Looked>
  tell(): Promise<Heard | Trouble>
}

// Moodle says 400 for a learner whom it does not know, or who is not enrolled, or may not be graded; Canvas 422 or 412, and 400 also for
// an older instant; Brightspace 422 for a role that is not graded.
const ofThisRecord = [400, 412, 413, 422]

export async function writeScore(
  score: Score,
  { look, tell }: Desk,
  lineItemUrl: string,
  now: () => Date,
): Promise<Written> {
  const before = await look()
  if (before.kind === 'refused' || before.kind === 'later') return before
  if (before.kind === 'results' && before.results.some((each) => compareResult(score, each) === 'same')) return ours
  const heard = await tell()
  if (heard.kind === 'refused' || heard.kind === 'later') return heard
  const host = hostOf(lineItemUrl)
  if (heard.kind === 'answer' && ofThisRecord.includes(heard.status))
    return { kind: 'record', why: notForThem(host, heard.status) }
  const tooOld = heard.kind === 'answer' && heard.status === 409
  if (!tooOld && !isTaken(heard)) return troubleOf(heard, lineItemUrl, now())
  // A page in place of the (empty) answer comes from a login or a proxy, whatever its status says.
  if (isTaken(heard) && /^\s*</.test(heard.text)) return unreadable(lineItemUrl, 'a word about the score')
  const after = before.kind === 'hidden' ? before : await look()
  if (after.kind === 'refused' || after.kind === 'later') return after
  const results = after.kind === 'results' ? after.results : []
  return tooOld ? whatStandsInTheWay(score, results, host) : asTaken(score, results, host)
}

const ours: Written = { kind: 'verified', standing: 'ours' }

function asTaken(score: Score, results: ShownResult[], host: string): Written {
  const matches = results.map((each) => compareResult(score, each))
  if (matches.includes('same')) return ours
  if (matches.length === 0 || matches.includes('without-comment')) return { kind: 'written' }
  return {
    kind: 'record',
    why: `${host} took the score, and shows another one. Look at the learner's grade: it may be locked or overridden, or the column has another maximum.`,
  }
}

/** After 409. Where the platform shows no time, its refusal says that what it has is newer. */
function whatStandsInTheWay(score: Score, results: ShownResult[], host: string): Written {
  if (results.some((each) => compareResult(score, each) === 'same')) return ours
  if (results.some((each) => isNewer(score, each) || (each.at === null && each.score !== null))) {
    return { kind: 'verified', standing: 'newer' }
  }
  return {
    kind: 'record',
    why: `${host} refuses the score as older than what it has (409), but shows nothing newer. Look at the learner's grade, and at the platform's clock.`,
  }
}

function notForThem(host: string, status: number): string {
  return `${host} does not take this score (${status}). See whether the learner is known there, enrolled in the course, and in a role that is graded, and whether a newer grade stands there.`
}
