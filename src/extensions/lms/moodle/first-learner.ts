// Finds a learner among the people of a Moodle course: teachers are enrolled as well, and some come before the first
// learner. Calls Moodle.

import type { MoodleCompletion } from './completion.ts'
import type { MoodleLearner } from './learner.ts'

/** The maximum number of people to check, with one call each. */
export const maxCheckedForLearner = 20

/**
 * Returns the first person whose completion Moodle tracks; null if none of the people checked is a learner.
 * @throws what `readCompletion` throws
 */
export async function firstLearner(
  readCompletion: (userId: number) => Promise<MoodleCompletion>,
  people: readonly MoodleLearner[],
): Promise<{ learner: MoodleLearner; status: MoodleCompletion['kind'] } | null> {
  for (const learner of people.slice(0, maxCheckedForLearner)) {
    const { kind: status } = await readCompletion(learner.id)
    if (status !== 'not-enrolled') return { learner, status }
  }
  return null
}
