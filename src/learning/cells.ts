// A learner who completed a course, as a row: which columns there are, whatever the system.

import type { SystemSettings } from '#config/system-settings.ts'

/** As a system that is asked knows them: what it does not know, or may not show, is null. */
export interface KnownLearner {
  id: string | number
  idnumber: string | null
  username: string | null
  firstname: string | null
  lastname: string | null
  /** In full, where the system keeps it so. */
  name?: string | null
  email: string | null
}

export interface KnownCourse {
  /** As the pipeline names it. */
  code: string
  fullname: string
}

/** Columns that a row of the system may have: one that is empty for all is there all the same, or its run would lack a column. */
export function titlesOf(settings: SystemSettings): string[] {
  if (settings.type === 'moodle')
    return ['id', 'idnumber', 'username', 'firstname', 'lastname', 'email', 'course', 'coursename', 'completed']
  if (settings.type === 'canvas')
    return ['id', 'idnumber', 'username', 'firstname', 'lastname', 'name', 'email', 'course', 'coursename', 'completed']
  if (settings.type === 'xapi') return ['id', 'email', 'course', 'completed']
  if (settings.type === 'lti') return []
  return [...Object.keys(settings.map.learner), 'course', 'completed', ...Object.keys(settings.map.fields)]
}

/** Columns by title: `firstname` fills a field First Name by itself, like any column. Empty ones are left out. */
export function cellsOfLearner(
  { id, idnumber, username, firstname, lastname, name, email }: KnownLearner,
  course: KnownCourse,
  completedAt: Date,
  timeZone: string,
): Record<string, string> {
  return filled({
    id: String(id),
    idnumber,
    username,
    firstname,
    lastname,
    name,
    email,
    course: course.code,
    coursename: course.fullname,
    completed: dayOf(completedAt, timeZone),
  })
}

/** Of an event that says everything itself: what its mapping names, and what every row has. */
export function cellsOfEvent(
  event: { learner: object; course: string; fields: Readonly<Record<string, string>> },
  completedAt: Date,
  timeZone = 'UTC',
): Record<string, string> {
  return filled({
    ...event.learner,
    course: event.course,
    completed: dayOf(completedAt, timeZone),
    ...event.fields,
  })
}

function filled(cells: Record<string, string | null | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(cells).flatMap(([title, text]) => (text ? [[title, storable(text)]] : [])))
}

/** The ledger takes neither half characters nor NUL: one name with such a mark would keep everybody of its course waiting. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

/** YYYY-MM-DD where the learner is: a course that was completed at night must not bear the day before. */
function dayOf(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)
}
