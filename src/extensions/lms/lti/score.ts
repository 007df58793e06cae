// A score: the grade and comment that are sent to a platform for one learner in one line item. LTI Assignment and Grade
// Services 2.0, 3.4. Pure.

export interface Score {
  /** The platform's LTI id for the learner (`sub` of a launch). In Moodle it is the user's id. */
  userId: string
  scoreGiven: number
  scoreMaximum: number
  /** The only field that can contain the link to the credential. */
  comment: string
  /**
   * When the credential reached this state. A retry has the same time, and every later score for the learner must have
   * a later time: a platform refuses a score that is not newer than its current one.
   */
  at: Date
}

export interface ScoreDelivery {
  kind: 'issued' | 'revoked'
  userId: string
  credentialId: string
  /** The public link to the credential; null when it has none. */
  link: string | null
  at: Date
}

/** @param scoreMaximum the points for a learner who has or had the credential, which are also the maximum */
export function scoreOf({ kind, userId, credentialId, link, at }: ScoreDelivery, scoreMaximum: number): Score {
  const text = `Credential ${credentialId} ${kind}`
  return {
    userId,
    scoreGiven: scoreMaximum,
    scoreMaximum,
    comment: link === null ? text : `${text}: ${link}`,
    at: kind === 'revoked' ? endOfSecond(at) : at,
  }
}

/**
 * Platforms store whole seconds and accept one score per second: a revocation within the same second as the issuance
 * would be refused as not newer.
 */
const endOfSecond = (at: Date) => new Date(Math.ceil(at.getTime() / 1_000) * 1_000)

export const scoreType = 'application/vnd.ims.lis.v1.score+json'

export function scoreBody({ userId, scoreGiven, scoreMaximum, comment, at }: Score): string {
  return JSON.stringify({
    userId,
    scoreGiven,
    scoreMaximum,
    comment,
    timestamp: at.toISOString(),
    activityProgress: 'Completed',
    gradingProgress: 'FullyGraded',
  })
}
