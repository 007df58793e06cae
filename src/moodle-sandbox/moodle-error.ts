// The errors of Moodle's web services: each is answered with HTTP 200, an exception class, a code and a sentence (1.2).

export class MoodleError extends Error {
  override name = 'MoodleError'
  /** The PHP class that the answer names. */
  readonly exception: string
  readonly errorcode: string

  constructor(exception: string, errorcode: string, message: string) {
    super(message)
    this.exception = exception
    this.errorcode = errorcode
  }
}

/** Capture 30. */
export function invalidToken(): MoodleError {
  return new MoodleError('core\\exception\\moodle_exception', 'invalidtoken', 'Invalid token - token not found')
}

/** Capture 31: the function is not in the service, or there is none of that name. */
export function accessDenied(): MoodleError {
  return new MoodleError('webservice_access_exception', 'accessexception', 'Access control exception')
}

/** Capture 32. */
export function missingRecord(table: string): MoodleError {
  return new MoodleError(
    'dml_missing_record_exception',
    'invalidrecord',
    `Can't find data record in database table ${table}.`,
  )
}

/** Captures 33 and 37: never enrolled, or no longer. */
export function notEnrolled(): MoodleError {
  return new MoodleError('core\\exception\\moodle_exception', 'usernotenroled', 'User is not enrolled in this course')
}

/** Capture 34. */
export function invalidParameter(): MoodleError {
  return new MoodleError(
    'core\\exception\\invalid_parameter_exception',
    'invalidparameter',
    'Invalid parameter value detected',
  )
}

/** Capture 02. `capability` is its name for people. */
export function noPermission(capability: string): MoodleError {
  return new MoodleError(
    'core\\exception\\required_capability_exception',
    'nopermissions',
    `Sorry, but you do not currently have permissions to do that (${capability}).`,
  )
}

/** The code is in section 1.2; its sentence was not captured. */
export function noCriteria(): MoodleError {
  return new MoodleError(
    'core\\exception\\moodle_exception',
    'nocriteriaset',
    'No completion criteria set for this course',
  )
}

/** Capture 36. */
export function databaseIsDown(): MoodleError {
  const lines = [
    'Error: Database connection failed',
    'It is possible that the database is overloaded or otherwise not running properly.',
    'The site administrator should also check that the database details have been correctly specified in config.php',
  ]
  return new MoodleError(
    'dml_connection_exception',
    'dbconnectionfailed',
    lines.map((line) => `<p>${line}</p>`).join('\n'),
  )
}
