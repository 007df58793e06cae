// A score: what we tell a platform of one learner in one line item. LTI Assignment and Grade Services 2.0, 3.4. Pure.

export interface Score {
  /** The learner as the platform's LTI names them (`sub` of a launch). In Moodle the user's id. */
  userId: string
  scoreGiven: number
  scoreMaximum: number
  /** The only place for the link to the credential. */
  comment: string
  /**
   * When this became so. A repetition carries the same instant, and whatever is told of the learner afterwards a later one: a platform
   * refuses what is not newer than what it has.
   */
  at: Date
}

export interface Telling {
  kind: 'issued' | 'revoked'
  userId: string
  credentialId: string
  /** Where anybody can look at the credential; null when there is no such place. */
  link: string | null
  at: Date
}

export interface Grading {
  /** The points of one who has the credential, and the most there are. */
  scoreMaximum: number
  /** What a revocation does to the points. */
  onRevocation: 'keep' | 'zero'
}

export function scoreOf(
  { kind, userId, credentialId, link, at }: Telling,
  { scoreMaximum, onRevocation }: Grading,
): Score {
  const words = kind === 'issued' ? `Credential ${credentialId} issued` : `Credential ${credentialId} revoked`
  return {
    userId,
    scoreGiven: kind === 'revoked' && onRevocation === 'zero' ? 0 : scoreMaximum,
    scoreMaximum,
    comment: link === null ? words : `${words}: ${link}`,
    at: kind === 'revoked' ? endOfSecond(at) : at,
  }
}

/** Platforms keep whole seconds and take one score in each: a revocation in the second of its issue would be refused as not newer. */
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
