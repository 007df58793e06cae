// The errors of Moodle's web services. Each is returned with HTTP status 200, an exception class, a code and a message
// (section 1.2).

export class SiteError extends Error {
  override name = 'SiteError'
  /** The PHP class that the response names. */
  readonly exception: string
  readonly errorcode: string

  constructor(exception: string, errorcode: string, message: string) {
    super(message)
    this.exception = exception
    this.errorcode = errorcode
  }
}

/** Capture 30. */
export function invalidToken(): SiteError {
  return new SiteError('core\\exception\\moodle_exception', 'invalidtoken', 'Invalid token - token not found')
}

/** Capture 31: the function is not in the service, or does not exist. */
export function accessDenied(): SiteError {
  return new SiteError('webservice_access_exception', 'accessexception', 'Access control exception')
}

/** Capture 32. */
export function missingRecord(table: string): SiteError {
  return new SiteError(
    'dml_missing_record_exception',
    'invalidrecord',
    `Can't find data record in database table ${table}.`,
  )
}

/** From Moodle's source, core_user::require_active_user. */
export function userDeleted(): SiteError {
  return new SiteError('core\\exception\\moodle_exception', 'userdeleted', 'The user account has been deleted')
}

/** Captures 33 and 37: the user was never enrolled, or is no longer enrolled. */
export function notEnrolled(): SiteError {
  return new SiteError('core\\exception\\moodle_exception', 'usernotenroled', 'User is not enrolled in this course')
}

/** Capture 34. */
export function invalidParameter(): SiteError {
  return new SiteError(
    'core\\exception\\invalid_parameter_exception',
    'invalidparameter',
    'Invalid parameter value detected',
  )
}

/**
 * Capture 02.
 * @param capability its display name
 */
export function noPermission(capability: string): SiteError {
  return new SiteError(
    'core\\exception\\required_capability_exception',
    'nopermissions',
    `Sorry, but you do not currently have permissions to do that (${capability}).`,
  )
}

/**
 * For a role without moodle/course:view or mod/assign:view. The codes and classes of this error and the next five are
 * from Moodle's source.
 */
export function notAccessible(): SiteError {
  return new SiteError('require_login_exception', 'requireloginerror', 'Course or activity not accessible.')
}

/** The previous error as the list of enrolled users reports it. */
export function contextNotValid(): SiteError {
  return new SiteError(
    'core\\exception\\moodle_exception',
    'errorcoursecontextnotvalid',
    'You cannot execute functions in the course context (course id).',
  )
}

/** For a role without report/completion:view. */
export function noCompletionReport(): SiteError {
  return new SiteError('core\\exception\\moodle_exception', 'cannotviewreport', 'You cannot view this report')
}

/** For the status of a learner in separate groups, without moodle/site:accessallgroups. */
export function hiddenGroup(): SiteError {
  return new SiteError('core\\exception\\moodle_exception', 'accessdenied', 'Access denied')
}

/** For a custom report that the account may not see. */
export function noReport(): SiteError {
  return new SiteError('core_reportbuilder\\report_access_exception', 'errorreportview', 'You cannot view this report')
}

/** For a role without moodle/grade:viewall. */
export function noGrades(): SiteError {
  return new SiteError(
    'core\\exception\\moodle_exception',
    'nopermissiontoviewgrades',
    'You do not have permission to view grades.',
  )
}

/** The code is from section 1.2; the message was not captured. */
export function noCriteria(): SiteError {
  return new SiteError(
    'core\\exception\\moodle_exception',
    'nocriteriaset',
    'No completion criteria set for this course',
  )
}

/** Capture 36. */
export function databaseIsDown(): SiteError {
  const lines = [
    'Error: Database connection failed',
    'It is possible that the database is overloaded or otherwise not running properly.',
    'The site administrator should also check that the database details have been correctly specified in config.php',
  ]
  return new SiteError(
    'dml_connection_exception',
    'dbconnectionfailed',
    lines.map((line) => `<p>${line}</p>`).join('\n'),
  )
}
