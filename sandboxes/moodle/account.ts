// The account that the token belongs to, with the checks that Moodle makes before it runs a call. In memory. Error
// codes, messages and their order are those of Moodle's source (webservice/lib.php, require_login in lib/moodlelib.php
// and lang/en); a real 4.5.6 confirmed the codes.

import { accessDenied, invalidToken, SiteError } from './moodle-error.ts'

/** Errors that every call gets while the account has the problem. */
const refusingAllCalls = {
  wsaccessuserdeleted: 'Refused web service access for deleted username: credential-bot',
  wsaccessuserunconfirmed: 'Refused web service access for unconfirmed username: credential-bot',
  wsaccessusersuspended: 'Refused web service access for suspended username: credential-bot',
  wsaccessusernologin: 'Refused web service access for nologin authentication username: credential-bot',
  wsaccessuserexpired: 'Refused web service access for password expired username: credential-bot',
}

/** Errors that only calls that access a course get; profiles can still be read and written. */
const refusingCourses = {
  forcepasswordchangenotice: 'You must change your password to proceed.',
  nopasswordchangeforced: 'You cannot proceed without changing your password.',
  usernotfullysetup: 'User not fully set-up',
  sitepolicynotagreed: 'Site policy not agreed',
}

export type AccountProblem = keyof typeof refusingAllCalls | keyof typeof refusingCourses

/**
 * Functions that access a course. mod_assign_get_grades is not listed, because Moodle returns a warning for it instead.
 */
const courseFunctions = new Set([
  'core_completion_get_course_completion_status',
  'core_grades_update_grades',
  'gradereport_user_get_grade_items',
  'mod_assign_save_grade',
])

export class Account {
  readonly #token: string
  problem: AccountProblem | null = null
  tokenState: 'valid' | 'expired' | 'deleted' = 'valid'

  constructor(token: string) {
    this.#token = token
  }

  /**
   * Checks the token and the account. An expired token is deleted by this check.
   * @throws SiteError if every call with this token is refused
   */
  authenticate(token: string | null): void {
    if (token !== this.#token || this.tokenState === 'deleted') throw invalidToken()
    if (this.tokenState === 'expired') {
      this.tokenState = 'deleted'
      throw accessDenied()
    }
    if (isOf(refusingAllCalls, this.problem)) throw moodleException(this.problem, refusingAllCalls[this.problem])
  }

  /** @throws SiteError if the function accesses a course and the account has a problem that prevents this */
  checkCourseAccess(name: string): void {
    if (!isOf(refusingCourses, this.problem)) return
    const sentence = refusingCourses[this.problem]
    if (courseFunctions.has(name)) throw moodleException(this.problem, sentence)
    if (name === 'core_enrol_get_enrolled_users')
      throw moodleException(
        'errorcoursecontextnotvalid',
        `You cannot execute functions in the course context: ${sentence}`,
      )
  }
}

function isOf<Codes extends object>(codes: Codes, code: string | null): code is keyof Codes & string {
  return code !== null && Object.hasOwn(codes, code)
}

function moodleException(errorcode: string, sentence: string): SiteError {
  return new SiteError('core\\exception\\moodle_exception', errorcode, sentence)
}
