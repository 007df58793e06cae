// One Moodle: is it there, does it take the token, may the token call what the configuration needs, has it the courses, and can the learners of
// each be asked about? Nothing is written to it.

import type { MoodleSettings } from '#config/system-settings.ts'
import type { CompletionPipeline } from '#src/learning/open-learning.ts'
import type { MoodleCourse } from '#src/moodle/course.ts'
import { MoodleRefusedError } from '#src/moodle/moodle-refused-error.ts'
import { type Moodle, openMoodle } from '#src/moodle/open-moodle.ts'
import { capabilitiesFor } from '#src/moodle/privileges.ts'
import { Secret } from '#src/secret/secret.ts'
import type { Wire } from '#src/wire/open-wire.ts'
import { bad, type Check, failed, good, guarded } from './check.ts'
import { checkProfileFields, type KnownSystems } from './check-profile-fields.ts'
import { neededOf } from './moodle-needs.ts'
import type { Parts } from './open-parts.ts'
import { type WatchedSite, watchSite } from './site-clock.ts'
import { openToRead } from './this-machine.ts'

export interface CheckedMoodle {
  name: string
  settings: MoodleSettings
  pipelines: readonly CompletionPipeline[]
}

export async function checkMoodle(
  parts: KnownSystems & Pick<Parts, 'clock'>,
  wire: Pick<Wire, 'send'>,
  of: CheckedMoodle,
): Promise<Check[]> {
  const more = { system: of.name }
  const site = watchSite(wire, parts.clock)
  const moodle = open(parts, site, of)
  const access = await checkAccess(parts, moodle, of)
  const [first] = access
  // Who is away, or refuses the token, would say so to every further question.
  if (first && !first.ok && !isHereOnly(first.fault)) {
    const asked = of.pipelines.map(({ pipeline }) => pipeline)
    if (asked.length > 0)
      first.notices = [`so nothing was asked about the courses of these pipelines: ${asked.join(', ')}`]
    return access
  }
  const courses: Check[] = []
  for (const pipeline of of.pipelines)
    courses.push(
      ...(await guarded('system course', () => checkCourse(moodle, of, pipeline), {
        pipeline: pipeline.pipeline,
        ...more,
      })),
    )
  const fields = await guarded('profile fields', () => checkProfileFields(parts, moodle, of), more)
  return [...access, site.clock(of.name), ...courses, ...fields]
}

/** One call after the other, and few: no limiter is needed. */
function open({ clock }: Pick<Parts, 'clock'>, { send }: WatchedSite, { settings }: CheckedMoodle): Moodle {
  const { url, token } = settings
  return openMoodle({ url, token: new Secret(token), clock, send, gate: (work) => work() })
}

async function checkAccess(
  { settings }: KnownSystems,
  moodle: Moodle,
  { name, settings: { url } }: CheckedMoodle,
): Promise<Check[]> {
  const more = { system: name }
  try {
    const needed = neededOf(settings.file, name, await moodle.verifyAccess())
    const missing = needed.filter(({ available }) => !available)
    const found = good(
      'system',
      `${new URL(url).host} takes the token, and lets it call ${needed.length - missing.length} of the ${needed.length} functions that are needed`,
      {
        ...more,
        ...openToRead(url),
      },
    )
    return [
      found,
      ...missing.map((line) =>
        bad(
          'system',
          `the external service of the token lacks ${line.name}, needed for ${line.neededFor}`,
          `Add it to the service in Moodle, and see that the role of the account has ${capabilitiesFor(line.name)}`,
          more,
        ),
      ),
    ]
  } catch (fault) {
    return [failed('system', fault, more)]
  }
}

function isHereOnly(fault: unknown): boolean {
  return fault instanceof MoodleRefusedError && fault.reach === 'here'
}

/** Only a real question shows whether the role is allowed what its function needs: Moodle lists functions and no rights. */
async function checkCourse(moodle: Moodle, of: CheckedMoodle, pipeline: CompletionPipeline): Promise<Check[]> {
  const more = { pipeline: pipeline.pipeline, system: of.name }
  const course = await moodle.courseByIdnumber(pipeline.course)
  if (!course)
    return [
      bad(
        'system course',
        `${of.name} shows no course with the ID number ${pipeline.course} (pipelines.${pipeline.pipeline}.source.course)`,
        'Set “Course ID number” in the settings of the course, or correct it here; a hidden course shows only to a role with moodle/course:viewhiddencourses',
        more,
      ),
    ]
  const learners = await learnersOf(moodle, of, course)
  const [asked] = learners
  const status = asked === undefined ? null : await moodle.completion(course.id, asked)
  if (status?.kind === 'no-criteria')
    return [
      bad(
        'system course',
        `${pipeline.course} of ${of.name} has no completion criteria, so nobody will ever complete it`,
        'Set them in the course, under “Course completion”',
        more,
      ),
    ]
  const empty =
    learners.length === 0
      ? { notices: ['nobody was there to ask about, so whether a status can be read shows later'] }
      : {}
  return [
    good(
      'system course',
      `${pipeline.course} is in ${of.name}, and its learners can be asked about (${learners.length})`,
      { ...more, ...empty },
    ),
  ]
}

async function learnersOf(
  moodle: Moodle,
  { settings: { report, reportColumn } }: CheckedMoodle,
  course: MoodleCourse,
): Promise<number[]> {
  if (report === undefined) return (await moodle.enrolled(course.id)).map(({ id }) => id)
  const by = { id: report, ...(reportColumn && { completedColumn: reportColumn }) }
  const ids: number[] = []
  for await (const { userId } of moodle.participants(course, by)) ids.push(userId)
  return ids
}
