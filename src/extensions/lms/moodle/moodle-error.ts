// The errors that failed Moodle calls throw. The subclass of MoodleError says what the caller does next:
// MoodleAwayError, try again later; MoodleRefusedError, an operator must act; MoodleRecordError, skip the record. Pure.

import { LmsError } from '#src/platform/http/lms-error.ts'

export abstract class MoodleError extends LmsError {
  /** The web service function that was called, such as core_course_get_courses_by_field. */
  readonly calledFunction: string

  /**
   * @param code Moodle's error code if there was one, which consists of letters and underscores only; otherwise a
   * description of the invalid response, such as `HTTP 503`
   */
  constructor(
    calledFunction: string,
    code: string,
    ...[kind, sentence, details]: ConstructorParameters<typeof LmsError>
  ) {
    super(kind, sentence, { code, ...details })
    this.calledFunction = calledFunction
  }

  get errorcode(): string {
    return this.failure.code ?? ''
  }
}

/** The Moodle site is unavailable: try again later. This says nothing about the record, the token or the course. */
export class MoodleAwayError extends MoodleError {
  override name = 'MoodleAwayError'

  /** @param seen a network code, `HTTP 503`, or an errorcode */
  constructor(calledFunction: string, seen: string, retryAfterMs: number | null = null) {
    const sentence = `Moodle sent no usable response to ${calledFunction} (${seen}). ${nextStep(seen)}.`
    super(calledFunction, seen, 'away', sentence, { retryAfterMs })
  }
}

function nextStep(seen: string): string {
  if (/^HTTP 3/.test(seen))
    return "Check the url of the system, since redirects are not followed: the url must be the site's own address, with https if the site supports it"
  if (/^HTTP (404|405|410)/.test(seen))
    return 'Check the url of the system, to which /webservice/rest/server.php is appended'
  if (/^HTTP 403/.test(seen))
    return 'Check that web services and the REST protocol are enabled in Moodle, and that no proxy or firewall in front of Moodle blocks the call'
  const later = 'Try again later; if the problem persists,'
  if (/^unexpected response/.test(seen))
    return `${later} compare the version of Moodle with the versions in the documentation`
  return `${later} check whether Moodle is running, being upgraded, or in maintenance mode`
}

/** `everywhere`: every call with this token will fail. `here`: this function or course fails; others may succeed. */
export type Reach = 'everywhere' | 'here'

/** Moodle refuses the call because of the account or the token: retries fail until an operator has acted. */
export class MoodleRefusedError extends MoodleError {
  override name = 'MoodleRefusedError'

  /** @param advice which setting or privilege to check */
  constructor(calledFunction: string, errorcode: string, reach: Reach, advice: string) {
    const sentence = `Moodle refuses ${calledFunction} (${errorcode}) until someone acts: ${advice}.`
    super(calledFunction, errorcode, 'refused', sentence, { isOfCourse: reach === 'here' })
  }
}

/**
 * Moodle rejects a record, such as a learner or a course; calls for other records may succeed. `nocriteriaset`,
 * `usernotenroled` and similar codes are defined by Moodle; `severalmatch`, `severalcourses` and `noassignment` are
 * defined by this client.
 */
export class MoodleRecordError extends MoodleError {
  override name = 'MoodleRecordError'

  constructor(calledFunction: string, errorcode: string) {
    super(calledFunction, errorcode, 'record', sentenceOf(calledFunction, errorcode))
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
