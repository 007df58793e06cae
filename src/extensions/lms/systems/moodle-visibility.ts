// Checks that the account sees the learners and the properties that it needs. When a privilege is missing, Moodle
// reports no error: learners are missing from lists, and properties from learners. Reads over the network.

import type { MoodleCourse } from '#src/extensions/lms/moodle/course.ts'
import { type HiddenBy, whyLearnersAreHidden } from '#src/extensions/lms/moodle/hidden-learners.ts'
import type { MoodleLearner } from '#src/extensions/lms/moodle/learner.ts'
import type { Moodle } from '#src/extensions/lms/moodle/open-moodle.ts'
import { capitalized } from '#src/platform/one-line.ts'
import type { SystemFinding } from './system-kind.ts'

// What an account needs in order to see each property of a learner, as advice for messages. Pure.

const allowUserDetails = 'allow moodle/user:viewalldetails in the role of the account'
const allowFullNames = 'allow moodle/site:viewfullnames in the role of the account'

const checkUserIdentity = 'check that “Show user identity” (showuseridentity) of the site includes the e-mail address'

export const rightsToSee = {
  email: `allow moodle/course:useremail and moodle/site:viewuseridentity in the role of the account, and ${checkUserIdentity}`,
  username: allowUserDetails,
  idnumber: allowUserDetails,
  firstname: allowFullNames,
  lastname: allowFullNames,
}

export interface VisibilityCheck {
  course: MoodleCourse
  /** The users in the list of enrolled users. */
  people: readonly MoodleLearner[]
  /** One of these users who is a learner of the course; null when there is none. */
  learner: MoodleLearner | null
}

/** What is wrong, and what to do about it. */
type Fault = [what: string, remedy: string]

/**
 * Checks the properties of `learner`. If `learner` is null, checks only whether the learners are hidden.
 * @returns faults, and notices for the finding about the course; if `learner` is null, only the fault that hides the
 * learners, if there is one
 */
export async function checkVisibility(
  moodle: Pick<Moodle, 'learner' | 'seesOthers'>,
  { course, people, learner }: VisibilityCheck,
  pipeline: string,
): Promise<{ faults: SystemFinding[]; notices: string[] }> {
  const { idnumber } = course
  const found = { faults: [] as Fault[], notices: [] as string[] }
  if (learner) {
    const hidden = hiddenProperties(people, idnumber)
    found.faults = [...hidden.faults, ...faultsInSingleRead(learner, await moodle.learner(learner.id), idnumber)]
    found.notices = hidden.notices
  } else {
    const why = await whyLearnersAreHidden(moodle, course, () => people.length)
    if (why) found.faults.push(hiddenLearnersFault(why, idnumber, people.length))
  }
  const faults = found.faults.map(([what, remedy]) => ({ name: 'system course', pipeline, what, remedy }))
  return { ...found, faults }
}

const allowSeeingOthers =
  'Allow moodle/user:viewdetails in the role of the account, and assign the role under “Assign system roles”'

function hiddenLearnersFault(why: HiddenBy, course: string, people: number): Fault {
  return why === 'others'
    ? [
        `the account can see only itself and teachers, and so no learner of ${course} (people in the list: ${people})`,
        allowSeeingOthers,
      ]
    : [
        `the learners of ${course} are in separate groups, and the account is in none of them`,
        'Allow moodle/site:accessallgroups in the role of the account',
      ]
}

/** What the account needs in order to see each property; `also` continues the sentence about a hidden property. */
const properties: { keys: (keyof MoodleLearner)[]; shown: string; also?: string; remedy: string }[] = [
  {
    keys: ['username'],
    shown: 'user names and ID numbers',
    also: ', nor profile fields that are visible only to the user',
    remedy: capitalized(rightsToSee.username),
  },
  { keys: ['firstname', 'lastname'], shown: 'names', remedy: capitalized(rightsToSee.firstname) },
  { keys: ['email'], shown: 'e-mail addresses', remedy: capitalized(rightsToSee.email) },
]

/**
 * Teachers are in the list too, and people can make their own address public, so the account may see a property of some
 * people although its role does not allow it. If only a few people lack a property, the property may be empty in
 * Moodle, which is not a fault of the role.
 */
function hiddenProperties(people: readonly MoodleLearner[], course: string): { faults: Fault[]; notices: string[] } {
  const faults: Fault[] = []
  const notices: string[] = []
  for (const { keys, shown, also = '', remedy } of properties) {
    const isHidden = (person: MoodleLearner) => keys.some((key) => person[key] === null)
    const count = people.filter(isHidden).length
    const what = `the account does not see the ${shown} of ${count} of the ${people.length} people in ${course}`
    if (count >= people.length / 2)
      faults.push([`${what}${also}`, `${remedy}; if that is so already, fill them in in Moodle`])
    else if (count > 0) notices.push(`${what}; if they are not empty in Moodle: ${remedy}`)
  }
  return { faults, notices }
}

/**
 * @param singleRead the same learner, requested without the course, as after an event; null when the learner was not
 * found
 */
function faultsInSingleRead(learner: MoodleLearner, singleRead: MoodleLearner | null, course: string): Fault[] {
  if (singleRead === null)
    return [
      [
        `the account cannot read a single learner of ${course} outside the list, which is necessary to process an event`,
        allowSeeingOthers,
      ],
    ]
  if (singleRead.email !== null || learner.email === null) return []
  return [
    [
      `the account sees e-mail addresses of the learners of ${course} in the list, but not when it reads a single learner, which is necessary to process an event`,
      `Allow moodle/site:viewuseridentity in the role of the account, and ${checkUserIdentity}`,
    ],
  ]
}
