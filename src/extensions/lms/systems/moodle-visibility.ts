// Checks that the account sees the learners and the properties that it needs. When a privilege is missing, Moodle
// reports no error: learners are missing from lists, and properties from learners. Reads over the network.

import type { MoodleCourse } from '#src/extensions/lms/moodle/course.ts'
import { type HiddenBy, whyLearnersAreHidden } from '#src/extensions/lms/moodle/hidden-learners.ts'
import type { MoodleLearner } from '#src/extensions/lms/moodle/learner.ts'
import type { Moodle } from '#src/extensions/lms/moodle/open-moodle.ts'
import type { SystemFinding } from './system-kind.ts'

const checkUserIdentity = 'check that “Show user identity” (showuseridentity) of the site includes the e-mail address'

export interface VisibilityCheck {
  course: MoodleCourse
  /** The users in the list of enrolled users. */
  people: readonly MoodleLearner[]
  /** One of these users who is a learner of the course; null when there is none. */
  learner: MoodleLearner | null
}

type Fault = Required<Pick<SystemFinding, 'what' | 'remedy'>>

/**
 * Checks the properties of `learner`. If `learner` is null, checks only whether the learners are hidden.
 * @returns what is wrong, and what to do about it
 */
export async function checkVisibility(
  moodle: Pick<Moodle, 'learner' | 'seesOthers'>,
  { course, people, learner }: VisibilityCheck,
): Promise<Fault[]> {
  const { idnumber } = course
  if (learner)
    return [
      ...hiddenProperties(people, idnumber),
      ...faultsInSingleRead(learner, await moodle.learner(learner.id), idnumber),
    ]
  const why = await whyLearnersAreHidden(moodle, course, () => people.length)
  return why ? [hiddenLearnersFault(why, idnumber, people.length)] : []
}

const allowSeeingOthers =
  'Allow moodle/user:viewdetails in the role of the account, and assign the role under “Assign system roles”'

function hiddenLearnersFault(why: HiddenBy, course: string, people: number): Fault {
  return why === 'others'
    ? {
        what: `the account can see only itself and teachers, and so no learner of ${course} (people in the list: ${people})`,
        remedy: allowSeeingOthers,
      }
    : {
        what: `the learners of ${course} are in separate groups, and the account is in none of them`,
        remedy: 'Allow moodle/site:accessallgroups in the role of the account',
      }
}

/** What the account needs in order to see each property; `also` continues the sentence about a hidden property. */
const properties: { keys: (keyof MoodleLearner)[]; shown: string; also?: string; remedy: string }[] = [
  {
    keys: ['username'],
    shown: 'user names and ID numbers',
    also: ', nor profile fields that are visible only to the user',
    remedy: 'Allow moodle/user:viewalldetails in the role of the account',
  },
  {
    keys: ['firstname', 'lastname'],
    shown: 'names',
    remedy: 'Allow moodle/site:viewfullnames in the role of the account',
  },
  {
    keys: ['email'],
    shown: 'e-mail addresses',
    remedy: `Allow moodle/course:useremail and moodle/site:viewuseridentity in the role of the account, and ${checkUserIdentity}`,
  },
]

/**
 * Teachers are in the list too, and people can make their own address public, so the account may see a property of some
 * people although its role does not allow it. If only a few people lack a property, it is probably empty in Moodle.
 */
function hiddenProperties(people: readonly MoodleLearner[], course: string): Fault[] {
  return properties.flatMap(({ keys, shown, also = '', remedy }) => {
    const count = people.filter((person) => keys.some((key) => person[key] === null)).length
    const what = `the account does not see the ${shown} of ${count} of the ${people.length} people in ${course}${also}`
    const isHidden = count > 0 && count >= people.length / 2
    return isHidden ? [{ what, remedy: `${remedy}; if that is so already, fill them in in Moodle` }] : []
  })
}

/**
 * @param singleRead the same learner, requested without the course, as after an event; null when the learner was not
 * found
 */
function faultsInSingleRead(learner: MoodleLearner, singleRead: MoodleLearner | null, course: string): Fault[] {
  if (singleRead === null)
    return [
      {
        what: `the account cannot read a single learner of ${course} outside the list, which is necessary to process an event`,
        remedy: allowSeeingOthers,
      },
    ]
  if (singleRead.email !== null || learner.email === null) return []
  return [
    {
      what: `the account sees e-mail addresses of the learners of ${course} in the list, but not when it reads a single learner, which is necessary to process an event`,
      remedy: `Allow moodle/site:viewuseridentity in the role of the account, and ${checkUserIdentity}`,
    },
  ]
}
