// Decides whether a run is refused because of an error during intake. An error caused by the source or the
// configuration refuses it, with a message for the owner. After any other error, such as a failure of the database or
// the service, the run is read again. Pure.

const refusingErrorNames = [
  'SourceError',
  'PlanError',
  'CourseUnknownError',
  'SourceChangedError',
  'SourceMissingError',
  'PipelineUnknownError',
  'UploadSheetError',
]

/** Returns the message for the owner; null if the run should be read again. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (refusingErrorNames.includes(error.name)) return error.message
  // If the service refuses to list the course's fields, the configured course is wrong, and a retry would not help.
  const { status } = error as { status?: unknown }
  return error.name === 'ServiceRefusedError' && (status === 400 || status === 404) ? error.message : null
}
