// Checks that the custom report of a Moodle site can be relied on: compares the learners who may have completed
// according to the report with their completion status in Moodle. Reads over the network.

import type { Report, ReportInspection } from '#src/extensions/lms/moodle/completed-learners.ts'
import type { MoodleCourse } from '#src/extensions/lms/moodle/course.ts'
import type { MoodleLearner } from '#src/extensions/lms/moodle/learner.ts'
import { MoodleError } from '#src/extensions/lms/moodle/moodle-error.ts'
import type { Moodle } from '#src/extensions/lms/moodle/open-moodle.ts'
import type { SystemFinding } from './system-kind.ts'

/** The maximum number of candidates to check: one contradiction is proof. */
const maxChecked = 5
/** More for overlooked learners (those whose column is empty), because few of them may have completed. */
const maxOverlookedChecked = 20

export interface CheckedReport {
  course: MoodleCourse
  report: Report
  /** Everyone in the course, teachers included. */
  people: readonly MoodleLearner[]
  /** False when no learner of the course is visible. */
  hasLearner: boolean
}

/** @returns faults, and notices for the finding about the course */
export async function checkReport(
  moodle: Pick<Moodle, 'inspectReport' | 'completion'>,
  checked: CheckedReport,
  pipeline: string,
): Promise<{ faults: SystemFinding[]; notices: string[] }> {
  const { course, report, people, hasLearner } = checked
  try {
    const inspection = await moodle.inspectReport(course, report, people)
    const { learnerCount: shown } = inspection
    if (shown === 0 && hasLearner) {
      const what = `report ${report.id} shows none of the ${people.length} people in ${course.idnumber}, so no completions would be found`
      return { faults: [{ name: 'system report', pipeline, what, remedy: identifyPeople }], notices: [] }
    }
    const { faults, notices } = await checkColumn(moodle, checked, inspection, pipeline)
    const rest = `report ${report.id} shows ${shown} of the ${people.length} people in ${course.idnumber}; completions of the others are not found`
    return { faults, notices: shown < people.length && shown > 0 ? [...notices, rest] : notices }
  } catch (error) {
    if (!(error instanceof MoodleError)) throw error
    return { faults: [{ name: 'system report', pipeline, fault: error }], notices: [] }
  }
}

async function checkColumn(
  moodle: Pick<Moodle, 'completion'>,
  { course, report: { id, completedColumn: column }, hasLearner }: CheckedReport,
  { headers, learnerCount, candidates, overlooked }: ReportInspection,
  pipeline: string,
): Promise<{ faults: SystemFinding[]; notices: string[] }> {
  const fault = (what: string) => ({
    faults: [{ name: 'system report', pipeline, what, remedy: setColumn(headers) }],
    notices: [],
  })
  const title = column === undefined ? undefined : headers[column - 1]
  const columnLabel = `reportColumn ${column}${title === undefined ? '' : ` (“${title}”)`}`
  if (column !== undefined && headers.length > 0 && title === undefined)
    return fault(`reportColumn is ${column}, and report ${id} has ${headers.length} columns`)
  const hasStatus = async (ids: readonly number[], kind: 'completed' | 'not-completed', max = maxChecked) => {
    for (const each of ids.slice(0, max)) if ((await moodle.completion(course.id, each)).kind === kind) return true
    return false
  }
  const isFilledBefore = await hasStatus(candidates, 'not-completed')
  if (column === undefined)
    return {
      faults: [],
      notices:
        isFilledBefore && candidates.length === learnerCount
          ? [
              `report ${id} marks every learner as completed, so each poll checks everyone: set reportColumn to the number of the column “Time completed”`,
            ]
          : [],
    }
  if (isFilledBefore)
    return fault(
      `${columnLabel} of report ${id} is filled for learners who have not completed ${course.idnumber} (${candidates.length} of ${learnerCount} learners), so each poll checks all of them`,
    )
  if (await hasStatus(overlooked, 'completed', maxOverlookedChecked))
    return fault(
      `${columnLabel} of report ${id} is empty for learners who have completed ${course.idnumber}, so their credentials would never be issued`,
    )
  // Visibility is checked elsewhere. Without a learner there is nothing to compare.
  if (candidates.length > 0 || !hasLearner) return { faults: [], notices: [] }
  const checkedCount = Math.min(overlooked.length, maxOverlookedChecked)
  return {
    faults: [],
    notices: [
      `${columnLabel} of report ${id} is empty for everyone in ${course.idnumber}, and none of the ${checkedCount} people compared with Moodle has completed it, so the column was not checked: make sure that it is “Time completed”, and run \`credsync check\` again once someone has completed`,
    ],
  }
}

function setColumn(headers: readonly string[]): string {
  const listed = headers.map((title, index) => `${index + 1} ${title}`).join(', ')
  return `Set reportColumn to the number of the column “Time completed”, counted from 1${listed && `; the columns are ${listed}`}. If it already is, add the ID number or short name of the course to the columns, and check the conditions of the report`
}

const identifyPeople =
  'Add the ID number, user name or e-mail address of the user to the columns of the report, and check its conditions'
