// Infers what the columns of a Moodle report mean from their cells, in any language, and which learners may have
// completed. Pure.

import type { MoodleCourse } from './course.ts'
import type { MoodleLearner } from './learner.ts'
import type { ReportRow } from './report-pages.ts'

export interface Participant {
  userId: number
  /**
   * False when the row shows only the person and the course. True when the learner may have completed: read the status.
   */
  completed: boolean
}

interface MatchedRow {
  row: ReportRow
  people: MoodleLearner[]
}

/**
 * Returns one participant for each of `learners` who appears in the rows for `course`. Headers, "Yes" and dates are in
 * the language of the account, so the words in the cells are not interpreted:
 * - a row is about the learner whose ID number, user name or e-mail address it contains; rows without any are skipped;
 * - when some rows contain a name of this course, the other rows belong to other courses;
 * - a column describes the person or the course when each of its non-empty cells is a known value of the learner, or a
 *   name of the course;
 * - every other column shows progress, and a learner with any value in it counts as completed: an unnecessary status
 *   call is better than a missed completion.
 */
export function readParticipants(
  rows: readonly ReportRow[],
  learners: readonly MoodleLearner[],
  course: MoodleCourse,
): Participant[] {
  const names = namesOf(course)
  const index = indexByKeys(learners)
  const matched: MatchedRow[] = rowsOfCourse(rows, names)
    .map((row) => ({ row, people: [...new Set(row.flatMap((cell) => index.get(normalized(cell)) ?? []))] }))
    .filter(({ people }) => people.length > 0)
  const columns = progressColumns(matched, names)
  const mayHaveCompleted = new Map<number, boolean>()
  for (const { row, people } of matched) {
    const completed = columns.some((column) => normalized(row[column]) !== '')
    for (const { id } of people) mayHaveCompleted.set(id, completed || mayHaveCompleted.get(id) === true)
  }
  return [...mayHaveCompleted].map(([userId, completed]) => ({ userId, completed }))
}

function rowsOfCourse(rows: readonly ReportRow[], names: ReadonlySet<string>): readonly ReportRow[] {
  const ofThisCourse = rows.filter((row) => row.some((cell) => names.has(normalized(cell))))
  return ofThisCourse.length > 0 ? ofThisCourse : rows
}

function progressColumns(matched: readonly MatchedRow[], names: ReadonlySet<string>): number[] {
  const width = Math.max(0, ...matched.map(({ row }) => row.length))
  const rowsWithValues = matched.map(({ row, people }) => ({
    row,
    values: people.map((person) => new Set(knownValues(person))),
  }))
  return Array.from({ length: width }, (_, column) => column).filter((column) =>
    rowsWithValues.some(({ row, values }) => {
      const cell = normalized(row[column])
      // If one learner's name equals another value of the report, such as "yes", a row can match two people, and no
      // cell certainly describes one of them.
      return cell !== '' && !names.has(cell) && !values.every((value) => value.has(cell))
    }),
  )
}

/**
 * The names of the course. A name without a letter is ignored: it could be a grade, and rows with other grades would be
 * skipped.
 */
function namesOf({ idnumber, shortname, fullname }: MoodleCourse): ReadonlySet<string> {
  return new Set([idnumber, shortname, fullname].map(normalized).filter((name) => /\p{L}/u.test(name)))
}

function indexByKeys(learners: readonly MoodleLearner[]): ReadonlyMap<string, MoodleLearner[]> {
  const index = new Map<string, MoodleLearner[]>()
  for (const learner of learners)
    for (const key of [learner.idnumber, learner.username, learner.email].map(normalized))
      if (key !== '') index.set(key, [...(index.get(key) ?? []), learner])
  return index
}

function knownValues({ idnumber, username, email, firstname, lastname }: MoodleLearner): string[] {
  const [first, last] = [firstname ?? '', lastname ?? '']
  return [idnumber, username, email, first, last, `${first} ${last}`, `${last} ${first}`, `${last}, ${first}`].map(
    normalized,
  )
}

function normalized(text: string | null | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ').trim().normalize('NFC').toLowerCase()
}
