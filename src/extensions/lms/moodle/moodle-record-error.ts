// The error for a record, such as a learner or a course, that Moodle rejects; calls for other records may succeed.
// Pure.

import { MoodleError } from './moodle-error.ts'

/**
 * `nocriteriaset`, `usernotenroled` and similar codes are defined by Moodle; `severalmatch`, `severalcourses` and
 * `noassignment` are defined by this client.
 */
export class MoodleRecordError extends MoodleError {
  override name = 'MoodleRecordError'

  constructor(calledFunction: string, errorcode: string) {
    super(calledFunction, errorcode, sentenceOf(calledFunction, errorcode))
  }

  get failure() {
    return { kind: 'record' as const, isOfCourse: true, code: this.errorcode, retryAfterMs: null }
  }
}

function sentenceOf(calledFunction: string, errorcode: string): string {
  if (calledFunction === 'core_reportbuilder_retrieve_report' && errorcode === 'invalidrecord')
    return `Moodle has no report with this number (${calledFunction}, ${errorcode}). Set \`report\` of the system to the number in the address of the report, such as 12 in …/reportbuilder/edit.php?id=12.`
  return `Moodle rejected this record at ${calledFunction} (${errorcode}). ${nextSteps.get(errorcode) ?? 'Check the record in Moodle; other records are not affected'}.`
}

const nextSteps = new Map(
  Object.entries({
    invalidrecord: 'The record no longer exists: check whether the course or the learner was deleted',
    usernotenroled:
      'The learner is not, or is no longer, enrolled in the course; credentials that were issued stay issued',
    invalidparameter: 'Moodle does not accept the format of a value: check the learner, the course and the field names',
    nocriteriaset: 'The course has no completion criteria: set them in the course, under "Course completion"',
    severalmatch: 'More than one account has this ID number or e-mail address: give each account its own in Moodle',
    severalcourses: 'More than one course has this ID number: give each course its own in Moodle',
    noassignment:
      'The course shows no assignment with the configured ID number: check the ID number in the settings of the assignment',
  }),
)
