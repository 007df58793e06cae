// Parses a submitted score by the rules of Moodle's source (ltiservice_gradebookservices, scores.php) and capture 50.
// Pure.

export interface PostedScore {
  userId: number
  /** Null if nothing is graded yet. */
  grade: number | null
  comment: string
  /** Seconds since 1970. */
  at: number
}

const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})$/

/**
 * Returns null if the score must be refused with status 400. The grade is scaled to a maximum of 100. As in Moodle,
 * scoreMaximum is 1 by default, and a maximum of 0 or less is refused.
 */
export function readScore(body: string): PostedScore | null {
  const sent = parseObject(body)
  if (sent === null) return null
  const { userId, timestamp, gradingProgress, activityProgress, scoreGiven, scoreMaximum, comment } = sent
  if (typeof gradingProgress !== 'string' || typeof activityProgress !== 'string') return null
  if (typeof timestamp !== 'string' || !iso.test(timestamp) || Number.isNaN(Date.parse(timestamp))) return null
  if (typeof userId !== 'string' && typeof userId !== 'number') return null
  if (!/^\d{1,15}$/.test(String(userId))) return null
  if (!isNumeric(scoreGiven) || !isNumeric(scoreMaximum)) return null
  const maximum = scoreMaximum === undefined ? 1 : Number(scoreMaximum)
  if (!(maximum > 0)) return null
  const graded = gradingProgress === 'FullyGraded' && scoreGiven !== undefined
  return {
    userId: Number(userId),
    grade: graded ? (Number(scoreGiven) * 100) / maximum : null,
    comment: typeof comment === 'string' ? comment : '',
    at: Math.floor(Date.parse(timestamp) / 1000),
  }
}

function parseObject(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

function isNumeric(value: unknown): boolean {
  if (value === undefined || typeof value === 'number') return true
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
}
