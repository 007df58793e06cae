// Reads completions from a Moodle site: of one learner after a hint, or of every learner without a known completion.

import type { NewCompletion } from '#src/extensions/lms/ledger/completions.ts'
import type { MoodleCourse } from '#src/extensions/lms/moodle/course.ts'
import { type HiddenBy, whyLearnersAreHidden } from '#src/extensions/lms/moodle/hidden-learners.ts'
import type { MoodleLearner } from '#src/extensions/lms/moodle/learner.ts'
import { MoodleRecordError } from '#src/extensions/lms/moodle/moodle-error.ts'
import type { Moodle } from '#src/extensions/lms/moodle/open-moodle.ts'
import { completionOfLearner } from './completion-cells.ts'
import type { Hint } from './inbound-system.ts'
import type { MoodleSettings } from './moodle-settings.ts'
import type { FoundCompletions, KnownIds, PolledSystem } from './polled-system.ts'
import type { Problem } from './problems.ts'

export interface PolledMoodle {
  name: string
  settings: MoodleSettings
  moodle: Moodle
}

const noCompletionTime =
  'A learner completed the course, but no completion criterion has a time, so nothing is issued: complete a criterion with a date in Moodle.'

const noLongerEnrolled =
  'Moodle does not say whether the course was completed, because the learner is no longer enrolled, so nothing was issued. Enroll the learner again temporarily and replay the event, or issue the credential manually.'

export function pollableMoodle(system: PolledMoodle): PolledSystem {
  const { name, settings, moodle } = system
  return {
    name,
    settings,
    async course(pipeline) {
      const course = await moodle.courseByIdnumber(pipeline.course)
      return (
        course && {
          isAbout: (hint) => isAbout(hint, course),
          findOne: (hint, isKnown) => findOne(system, course, hint, isKnown),
          findAll: (known) => findAll(system, course, known),
        }
      )
    },
    readProfile: (learner) =>
      moodle.readProfile(Number(learner)).catch((error: unknown) => {
        if (error instanceof MoodleRecordError) return null
        throw error
      }),
  }
}

/** True when the hint names the course by its ID number, or by the id that Moodle's own events use. */
export function isAbout(hint: Pick<Hint, 'course'>, { id, idnumber }: Pick<MoodleCourse, 'id' | 'idnumber'>): boolean {
  return hint.course === idnumber || hint.course === String(id) || new RegExp(`[?&]id=${id}$`).test(hint.course)
}

/**
 * Reads the completion of the learner whom the hint names.
 * @param isKnown returns whether a completion of the learner (by Moodle id) was found before
 * @throws MoodleError, unless the error affects only this learner
 */
async function findOne(
  { moodle, settings }: PolledMoodle,
  course: MoodleCourse,
  hint: Hint,
  isKnown: (learner: string) => Promise<boolean>,
): Promise<FoundCompletions> {
  const { id, idnumber, email } = hint.learner
  const userId = id !== undefined && /^\d{1,10}$/.test(id) ? Number(id) : undefined
  let affected: { learner?: string } = id === undefined ? {} : { learner: id }
  try {
    const learner = await moodle.findLearner({
      ...(userId !== undefined && { id: userId }),
      // The xAPI plugin may be configured to name accounts by username.
      ...(id !== undefined && { username: id }),
      ...(idnumber && { idnumber }),
      ...(email && { email }),
    })
    if (!learner) {
      const isSeen = await moodle.seesOthers()
      const unknown = userId === undefined ? { sentence: unknownLearner } : { sentence: noAccount, isState: true }
      return { completions: [], problems: [isSeen ? unknown : { sentence: hiddenMessages.others }] }
    }
    affected = { learner: String(learner.id) }
    const completion = await moodle.completion(course.id, learner.id)
    if (completion.kind === 'undated')
      return { completions: [], problems: [{ ...affected, sentence: noCompletionTime }] }
    if (completion.kind === 'not-enrolled' && !(await isKnown(String(learner.id))))
      return { completions: [], problems: [{ ...affected, sentence: noLongerEnrolled, isState: true }] }
    // An event may arrive before Moodle has calculated the completion, or concern only a part of the course: the next
    // poll finds the completion.
    if (completion.kind !== 'completed') return { completions: [], problems: [] }
    return { completions: [completionOf(learner, course, completion.at, settings)], problems: [] }
  } catch (error) {
    if (error instanceof MoodleRecordError)
      return { completions: [], problems: [{ ...affected, sentence: error.message }] }
    throw error
  }
}

/**
 * Finds everyone who completed the course and is not in `known`.
 * @throws MoodleError
 */
async function findAll(
  { moodle, settings }: PolledMoodle,
  course: MoodleCourse,
  known: KnownIds,
): Promise<FoundCompletions> {
  const { report = null } = settings
  const completions: NewCompletion[] = []
  const problems: Problem[] = []
  const knownUsers = { has: (id: number) => known.has(String(id)) }
  for await (const found of moodle.completedLearners(course, report, knownUsers)) {
    const learner = 'userId' in found ? String(found.userId) : undefined
    switch (found.kind) {
      case 'completed':
        completions.push(completionOf(found.learner, course, found.at, settings))
        break
      case 'undated':
        problems.push({ learner, sentence: noCompletionTime })
        break
      case 'failed':
        problems.push({ learner, sentence: found.error.message })
        break
      case 'useless-report':
        problems.push({
          sentence: `Report ${report} shows none of the ${found.people} people in the course ${course.idnumber}, so no completions can be found: add the ID number, user name or e-mail address of the user to its columns, and check its conditions.`,
        })
    }
  }
  if (known.size > 0 || completions.length > 0) return { completions, problems }
  const why = await whyLearnersAreHidden(moodle, course, async () => (await moodle.enrolledLearners(course.id)).length)
  if (why) problems.push({ sentence: hiddenMessages[why] })
  return { completions, problems }
}

const noAccount = 'Moodle has no account with the number in the event, which was deleted, so nothing was issued.'

const unknownLearner =
  'Moodle shows no learner who matches the event: check the mapping of the event, and whether the account may find people by what it names: by user name or ID number with moodle/user:viewalldetails, by e-mail address with moodle/site:viewuseridentity if “Show user identity” (showuseridentity) of the site includes it.'

const hiddenMessages: Record<HiddenBy, string> = {
  others:
    'The account of the token can see only itself and teachers, so no completions can be found: allow moodle/user:viewdetails in the role of the account.',
  groups:
    'The learners are in separate groups and the account is in none of them, so no completions can be found: allow moodle/site:accessallgroups in the role of the account.',
}

const completionOf = (
  learner: MoodleLearner,
  { idnumber, fullname }: MoodleCourse,
  at: Date,
  settings: MoodleSettings,
) => completionOfLearner(learner, { code: idnumber, fullname }, at, settings.timeZone)
