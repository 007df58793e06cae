// Finds out why the account sees no learners in a course that has some. Moodle reports no error for a missing
// privilege, so this calls Moodle to check.

import type { MoodleCourse } from './course.ts'
import type { Moodle } from './open-moodle.ts'

/**
 * `others`: the account sees only itself and teachers. `groups`: the learners are in separate groups, and the account
 * is in none.
 */
export type HiddenBy = 'others' | 'groups'

/**
 * @param countPeople returns the number of people in the list of enrolled users; called only when needed
 * @returns null when nothing prevents the account from seeing the learners
 */
export async function whyLearnersAreHidden(
  moodle: Pick<Moodle, 'seesOthers'>,
  { separateGroups }: Pick<MoodleCourse, 'separateGroups'>,
  countPeople: () => number | Promise<number>,
): Promise<HiddenBy | null> {
  if (!(await moodle.seesOthers())) return 'others'
  return separateGroups && (await countPeople()) === 0 ? 'groups' : null
}
