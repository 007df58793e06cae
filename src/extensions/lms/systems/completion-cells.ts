// Converts a learner who completed a course to the cells of a row, for every kind of system. Pure.

import type { NewCompletion } from '#src/extensions/lms/ledger/completions.ts'

/** A learner of a polled system. Properties that are not set, or that the account may not see, are null. */
export interface KnownLearner {
  id: string | number
  idnumber: string | null
  username: string | null
  firstname: string | null
  lastname: string | null
  /** The full name, if the system stores one. */
  name?: string | null
  email: string | null
}

export interface KnownCourse {
  /** The course as the pipeline's settings name it. */
  code: string
  fullname: string
}

/**
 * Returns the completion of a learner, with cells by column title; empty cells are omitted. As with any column,
 * `firstname` fills a field First Name without a mapping.
 */
export function completionOfLearner(
  { id, idnumber, username, firstname, lastname, name, email }: KnownLearner,
  { code: course, fullname: coursename }: KnownCourse,
  completedAt: Date,
  timeZone: string,
): NewCompletion {
  const completed = dayOf(completedAt, timeZone)
  const learner = String(id)
  const cells = { id: learner, idnumber, username, firstname, lastname, name, email, course, coursename, completed }
  return { learner, course, completedAt, cells: filled(cells) }
}

/** Returns the cells of a trusted event: those of its mapping, and those that every row has. */
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
  return Object.fromEntries(Object.entries(cells).flatMap(([title, text]) => (text ? [[title, sanitized(text)]] : [])))
}

/** Replaces lone surrogates and NUL, which the ledger does not accept: one such name would block the whole course. */
function sanitized(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

/**
 * Returns YYYY-MM-DD in the time zone of the system, not in UTC: a course that was completed at night must not get the
 * date of the day before.
 */
function dayOf(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)
}
