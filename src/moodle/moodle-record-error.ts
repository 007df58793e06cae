// Moodle said no to this one record; the next one may go well.

import { MoodleError } from './moodle-error.ts'

/** `nocriteriaset`, `usernotenroled` and so on are Moodle's own; `severalmatch` and `noassignment` are said by this room. */
export class MoodleRecordError extends MoodleError {
  override name = 'MoodleRecordError'

  constructor(calledFunction: string, errorcode: string) {
    super(
      calledFunction,
      errorcode,
      `Moodle did not take this record at ${calledFunction} (${errorcode}). ${nextSteps.get(errorcode) ?? 'Look at the record in Moodle; the others go on'}.`,
    )
  }
}

const nextSteps = new Map(
  Object.entries({
    invalidrecord: 'It is not there any more: check whether the course or the learner was deleted',
    usernotenroled: 'The learner is not enrolled in the course, or not any more; what was issued stays',
    invalidparameter: 'A value has a form that Moodle does not take: check the learner, the course and the field names',
    nocriteriaset: 'The course has no completion criteria: set them in the course, under "Course completion"',
    severalmatch: 'More than one account has this ID number or e-mail address: make it unique in Moodle',
    noassignment:
      'The course shows no assignment with the ID number that was configured: check the ID number in the settings of the assignment',
  }),
)
