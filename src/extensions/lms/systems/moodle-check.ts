// Checks one Moodle site for `credsync check`: it is reachable, accepts the token, allows the calls that the
// configuration needs, has the courses, and shows their learners. Reads over the network and writes nothing.

import type { MoodleCourse } from '#src/extensions/lms/moodle/course.ts'
import { firstLearner, maxCheckedForLearner } from '#src/extensions/lms/moodle/first-learner.ts'
import type { MoodleLearner } from '#src/extensions/lms/moodle/learner.ts'
import { MoodleRefusedError } from '#src/extensions/lms/moodle/moodle-error.ts'
import type { Moodle } from '#src/extensions/lms/moodle/open-moodle.ts'
import { capabilitiesFor } from '#src/extensions/lms/moodle/privileges.ts'
import type { MoodleSettings } from './moodle-settings.ts'
import { checkVisibility } from './moodle-visibility.ts'
import type { CompletionPipeline } from './polled-system.ts'
import { orFaultFinding, type SystemCheckContext, type SystemFinding } from './system-kind.ts'

export async function checkMoodle(
  context: SystemCheckContext<Moodle>,
  settings: MoodleSettings,
): Promise<SystemFinding[]> {
  const access = await checkAccess(context, settings)
  const [first] = access
  // A Moodle site that is unavailable, or refuses the token, would fail every other check in the same way.
  if (first?.fault !== undefined && !affectsOnlyCall(first.fault)) {
    const pipelineNames = context.pipelines.map(({ pipeline }) => pipeline)
    if (pipelineNames.length > 0)
      first.notices = [`so the courses of these pipelines were not checked: ${pipelineNames.join(', ')}`]
    return access
  }
  const courses: SystemFinding[] = []
  for (const source of context.pipelines) {
    const finding = { name: 'system course', pipeline: source.pipeline }
    courses.push(...(await orFaultFinding(finding, () => checkCourse(context, settings, source))))
  }
  return [...access, ...courses]
}

async function checkAccess(
  { client: moodle, targetParts }: SystemCheckContext<Moodle>,
  { url, report }: MoodleSettings,
): Promise<SystemFinding[]> {
  const name = 'system'
  try {
    const parts = new Set<string>(['reading', ...(report === undefined ? [] : ['report']), ...targetParts])
    const needed = (await moodle.verifyAccess()).filter(({ part }) => parts.has(part))
    const missing = needed
      .filter(({ available }) => !available)
      .map((line) => ({
        name,
        what: `the external service of the token lacks ${line.name}, needed for ${line.neededFor}`,
        remedy: `Add ${line.name} to the external service in Moodle, and check that the role of the account has ${capabilitiesFor(line.name)}`,
      }))
    const what = `${new URL(url).host} accepts the token, which may call ${needed.length - missing.length} of the ${needed.length} functions that are needed`
    return [{ name, what }, ...missing]
  } catch (fault) {
    return [{ name, fault }]
  }
}

function affectsOnlyCall(fault: unknown): boolean {
  return fault instanceof MoodleRefusedError && fault.failure.isOfCourse
}

/** Checks one course by reading it: Moodle lists the functions of a token, but not what its role is allowed to do. */
async function checkCourse(
  context: SystemCheckContext<Moodle>,
  settings: MoodleSettings,
  { pipeline, course: idnumber }: CompletionPipeline,
): Promise<SystemFinding[]> {
  const { client: moodle, system } = context
  const finding = { name: 'system course', pipeline }
  const course = await moodle.courseByIdnumber(idnumber)
  if (!course)
    return [
      {
        ...finding,
        what: `${system} shows no course with the ID number ${idnumber} (pipelines.${pipeline}.source.course)`,
        remedy:
          'Set “Course ID number” in the settings of the course, or correct `course` in the source of the pipeline; a hidden course is visible only to a role with moodle/course:viewhiddencourses',
      },
    ]
  const people = await moodle.enrolledLearners(course.id)
  const first = await firstLearner((userId) => moodle.completion(course.id, userId), people)
  const learner = first?.learner ?? null
  const noCriteria = {
    what: `${idnumber} of ${system} has no completion criteria, so no one will ever complete it`,
    remedy: 'Set completion criteria in the course, under “Course completion”',
  }
  const faults = [
    ...(first?.status === 'no-criteria' ? [noCriteria] : []),
    ...(await checkVisibility(moodle, { course, people, learner })),
  ]
  const { report } = settings
  const named = { name: 'system report', pipeline }
  // Without a learner there is nothing that the report could show.
  const reportFindings =
    report === undefined || learner === null
      ? []
      : await orFaultFinding(named, async () => [
          { ...named, ...(await checkReport(moodle, report, { course, people })) },
        ])
  const targets = await context.checkTargets(pipeline, {
    id: String(course.id),
    code: course.idnumber,
    learner: learner && String(learner.id),
  })
  const what = `${idnumber} is in ${system}, and its learners can be read (people in the course: ${people.length})`
  const [line, ...more] = (faults.length > 0 ? faults : [{ what }]).map((each) => ({ ...finding, ...each }))
  const notices = learner ? {} : { notices: [uncheckedNotice(people.length)] }
  return [{ ...finding, ...line, ...notices }, ...more, ...reportFindings, ...targets]
}

function uncheckedNotice(people: number): string {
  const reason =
    people === 0
      ? 'no one in the course is visible'
      : `none of the ${people > maxCheckedForLearner ? `first ${maxCheckedForLearner} of the ${people}` : people} people in the course is a learner`
  return `${reason}, so these were not checked: whether completion statuses can be read, whether the course has criteria, and what the account sees of learners`
}

async function checkReport(
  moodle: Moodle,
  report: number,
  { course, people }: { course: MoodleCourse; people: readonly MoodleLearner[] },
): Promise<Pick<SystemFinding, 'what' | 'remedy' | 'notices'>> {
  const shown = await moodle.participants(course, report, people)
  const what = `report ${report} shows ${shown.length} of the ${people.length} people in ${course.idnumber}`
  if (shown.length === 0)
    return {
      what: `${what}, so no completions would be found`,
      remedy:
        'Add the ID number, user name or e-mail address of the user to the columns of the report, and check its conditions',
    }
  // Without a column of progress, nobody would ever be found. One who has completed proves it.
  if (!shown.some(({ completed }) => completed))
    for (const { userId } of shown.slice(0, maxCheckedForProgress))
      if ((await moodle.completion(course.id, userId)).kind === 'completed')
        return {
          what: `${what}, and of none of them that they have completed the course, although somebody has`,
          remedy: 'Add “Time completed” of the course completion to the columns of the report',
        }
  const isComplete = shown.length === people.length
  return isComplete ? { what } : { what, notices: ['completions of people whom it does not show are not found'] }
}

const maxCheckedForProgress = 20
