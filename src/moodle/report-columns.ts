// Tells what the columns of a report are by what stands in them, in whatever language, and whom it shows as further along.

import type { MoodleCourse } from './course.ts'
import type { Learner } from './learner.ts'
import type { ReportRow } from './report-pages.ts'

export interface Participant {
  userId: number
  /** False: the row shows nothing beyond who and which course. True: the course may be complete, ask for the status. */
  completed: boolean
}

interface MatchedRow {
  row: ReportRow
  people: Learner[]
}

/**
 * One participant for each of `learners` whom the rows show in `course`. Headers, "Yes" and dates come in the language of the account, so
 * nothing is read by its words:
 * - a row is about the learners whose ID number, user name or e-mail address stands in it; rows of nobody, which occur, are left out;
 * - when some row holds a name of this course, rows without one belong to other courses;
 * - a column is the person's or the course's when each filled cell of it is something known of its learner, or a name of the course;
 * - every other column tells of progress, and whoever has something there counts as completed: rather one question too many than a
 *   completion overlooked. `completedColumn` (1 for the first, best "Time completed") names the one column to look at
 *   instead, for reports in which others are filled before the end.
 */
export function readParticipants(
  rows: readonly ReportRow[],
  learners: readonly Learner[],
  course: MoodleCourse,
  completedColumn?: number,
): Participant[] {
  const names = namesOf(course)
  const index = indexByKeys(learners)
  const matched: MatchedRow[] = ofCourse(rows, names)
    .map((row) => ({ row, people: [...new Set(row.flatMap((cell) => index.get(folded(cell)) ?? []))] }))
    .filter(({ people }) => people.length > 0)
  const telling = completedColumn === undefined ? progressColumns(matched, names) : [completedColumn - 1]
  const found = new Map<number, boolean>()
  for (const { row, people } of matched) {
    const completed = telling.some((column) => folded(row[column]) !== '')
    for (const { id } of people) found.set(id, completed || found.get(id) === true)
  }
  return [...found].map(([userId, completed]) => ({ userId, completed }))
}

function ofCourse(rows: readonly ReportRow[], names: ReadonlySet<string>): readonly ReportRow[] {
  const its = rows.filter((row) => row.some((cell) => names.has(folded(cell))))
  return its.length > 0 ? its : rows
}

function progressColumns(matched: readonly MatchedRow[], names: ReadonlySet<string>): number[] {
  const width = Math.max(0, ...matched.map(({ row }) => row.length))
  const about = matched.map(({ row, people }) => ({ row, words: people.map((each) => new Set(wordsAbout(each))) }))
  return Array.from({ length: width }, (_, column) => column).filter((column) =>
    about.some(({ row, words }) => {
      const cell = folded(row[column])
      // Of everyone: where a learner is called as others' "yes", a row is about two people, and nothing in it is surely about one.
      return cell !== '' && !names.has(cell) && !words.every((each) => each.has(cell))
    }),
  )
}

/** A name of digits only could as well be a grade, and would hide the rows with other grades. */
function namesOf({ idnumber, shortname, fullname }: MoodleCourse): ReadonlySet<string> {
  return new Set([idnumber, shortname, fullname].map(folded).filter((name) => /\p{L}/u.test(name)))
}

function indexByKeys(learners: readonly Learner[]): ReadonlyMap<string, Learner[]> {
  const index = new Map<string, Learner[]>()
  for (const learner of learners)
    for (const key of [learner.idnumber, learner.username, learner.email].map(folded))
      if (key !== '') index.set(key, [...(index.get(key) ?? []), learner])
  return index
}

function wordsAbout({ idnumber, username, email, firstname, lastname }: Learner): string[] {
  const [first, last] = [firstname ?? '', lastname ?? '']
  return [idnumber, username, email, first, last, `${first} ${last}`, `${last} ${first}`, `${last}, ${first}`].map(
    folded,
  )
}

function folded(text: string | null | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ').trim().normalize('NFC').toLowerCase()
}
