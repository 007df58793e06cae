// Exit codes: a contract with the scripts that call us.

export const exitCode = {
  ok: 0,
  fault: 1,
  usage: 2,
  needsPerson: 3,
  service: 4,
  timeout: 5,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

const byErrorName: Record<string, ExitCode> = {
  SettingsError: exitCode.usage,
  UsageError: exitCode.usage,
  PipelineUnknownError: exitCode.usage,
  PlanError: exitCode.usage,
  SourceError: exitCode.usage,
  CourseUnknownError: exitCode.usage,
  EnvironmentMixedError: exitCode.usage,
  DatabaseUnreachableError: exitCode.usage,
  BaseUrlError: exitCode.usage,
  ServiceUnreachableError: exitCode.service,
  KeysRefusedError: exitCode.service,
}

export function exitCodeOf(error: unknown): ExitCode {
  return (error instanceof Error && byErrorName[error.name]) || exitCode.fault
}

/** The command was called in a way that cannot work. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
