// Which faults of an intake are the source's or the configuration's, so that the run is refused with a sentence for its owner.
// Every other fault (a database away, a service in trouble) passes, and the run is read again.

const ownersFaults = [
  'SourceError',
  'PlanError',
  'CourseUnknownError',
  'SourceChangedError',
  'SourceMissingError',
  'PipelineUnknownError',
  'UploadSheetError',
]

export function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (ownersFaults.includes(error.name)) return error.message
  // A no to the course's field list is an answer about the course that the configuration names; it would be the same tomorrow.
  const { status } = error as { status?: unknown }
  return error.name === 'ServiceRefusedError' && (status === 400 || status === 404) ? error.message : null
}
