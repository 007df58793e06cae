// One Canvas: is it there, does it take the token, has it the courses, can their learners be asked about, and are the columns there that
// credentials are told in? Nothing is written to it.

import type { CanvasSettings } from '#config/system-settings.ts'
import { type Canvas, openCanvas } from '#src/canvas/open-canvas.ts'
import type { CompletionPipeline } from '#src/learning/open-learning.ts'
import { Secret } from '#src/secret/secret.ts'
import type { Wire } from '#src/wire/open-wire.ts'
import { bad, type Check, failed, good, guarded } from './check.ts'
import type { KnownSystems } from './check-profile-fields.ts'
import type { Parts } from './open-parts.ts'
import { watchSite } from './site-clock.ts'
import { openToRead } from './this-machine.ts'

export interface CheckedCanvas {
  name: string
  settings: CanvasSettings
  pipelines: readonly CompletionPipeline[]
}

export async function checkCanvas(
  { settings, clock }: Pick<KnownSystems, 'settings'> & Pick<Parts, 'clock'>,
  wire: Pick<Wire, 'send'>,
  { name, settings: { url, token }, pipelines }: CheckedCanvas,
): Promise<Check[]> {
  const site = watchSite(wire, clock)
  // One call after the other, and few: no limiter is needed.
  const canvas = openCanvas({ url, token: new Secret(token), clock, send: site.send, gate: (work) => work() })
  const access = await checkToken(canvas, name, url)
  if (!access.ok) {
    // Who is away, or refuses the token, would say so to every further question.
    if (pipelines.length > 0)
      access.notices = [
        `so nothing was asked about the courses of these pipelines: ${pipelines.map(({ pipeline }) => pipeline).join(', ')}`,
      ]
    return [access]
  }
  const checks = [access]
  for (const of of pipelines) {
    const more = { pipeline: of.pipeline, system: name }
    const course = await guarded('system course', () => checkCourse(canvas, of, more), more)
    checks.push(...course)
    const titles = titlesOf(settings.file, of)
    if (titles.length > 0 && course.every(({ ok }) => ok))
      checks.push(...(await guarded('gradebook columns', () => checkColumns(canvas, of.course, titles, more), more)))
  }
  return [...checks, site.clock(name)]
}

async function checkToken(canvas: Canvas, system: string, url: string): Promise<Check> {
  try {
    await canvas.signIn()
    return good('system', `${new URL(url).host} takes the token`, { system, ...openToRead(url) })
  } catch (fault) {
    return failed('system', fault, { system })
  }
}

type More = { pipeline: string; system: string }

async function checkCourse(canvas: Canvas, of: CompletionPipeline, more: More): Promise<Check[]> {
  const name = 'system course'
  const course = await canvas.course(of.course)
  if (!course)
    return [
      bad(
        name,
        `${of.system} shows no course ${of.course} (pipelines.${of.pipeline}.source.course)`,
        'Take the number in the address of the course, or sis_course_id: and its SIS id, which shows only to an account with the permission “SIS Data - read”; or let the account see the course',
        more,
      ),
    ]
  const students = await canvas.students(course.id)
  const [first] = students
  const shown = first === undefined ? null : await canvas.learner(course.id, first)
  const notices = [
    ...(first === undefined ? ['nobody was there to ask about, so what is shown of a learner shows later'] : []),
    ...(shown && shown.email === null
      ? [
          'no e-mail address was shown of a learner; the account needs the permission “Users - view primary email address”',
        ]
      : []),
  ]
  return [
    good(name, `${of.course} is in ${of.system}, and its learners can be asked about (${students.length})`, {
      ...more,
      ...(notices.length > 0 && { notices }),
    }),
  ]
}

async function checkColumns(canvas: Canvas, course: string, titles: readonly string[], more: More): Promise<Check[]> {
  const there = new Set(await canvas.columnTitles(course))
  const missing = titles.filter((title) => !there.has(title))
  if (missing.length === 0) return [good('gradebook columns', `${titles.join(', ')} are in the gradebook`, more)]
  return [
    good('gradebook columns', 'the account may see the columns of the gradebook', {
      ...more,
      notices: [
        `it has no ${missing.join(', ')} yet: credsync makes a column when the first credential is told; where teachers see another one, correct its title in writeBack`,
      ],
    }),
  ]
}

/** Titles of the columns that the pipeline tells in. */
function titlesOf({ pipelines }: KnownSystems['settings']['file'], of: CompletionPipeline): string[] {
  return (pipelines[of.pipeline]?.writeBack ?? []).flatMap((target) =>
    target.to === 'canvas-columns' && target.system === of.system ? Object.keys(target.columns) : [],
  )
}
