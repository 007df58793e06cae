// Defines the exit codes, a contract with the scripts that call credsync, and maps errors to them.

export const exitCode = {
  ok: 0,
  fault: 1,
  usage: 2,
  needsPerson: 3,
  /**
   * The service is unreachable, rejects our keys, or gave an incomplete answer, so the output must not be treated as
   * complete.
   */
  service: 4,
  timeout: 5,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

const byErrorName = new Map<string, ExitCode>(
  Object.entries({
    SettingsError: exitCode.usage,
    UsageError: exitCode.usage,
    PipelineUnknownError: exitCode.usage,
    PlanError: exitCode.usage,
    SourceError: exitCode.usage,
    UploadSheetError: exitCode.usage,
    CorrectionError: exitCode.usage,
    RefusedDecisionError: exitCode.usage,
    RowMovedError: exitCode.usage,
    CorrectionInProgressError: exitCode.usage,
    PersonUnclearError: exitCode.usage,
    ForgottenError: exitCode.usage,
    HashKeyError: exitCode.usage,
    CourseUnknownError: exitCode.usage,
    CourseFileError: exitCode.usage,
    CourseInputError: exitCode.usage,
    EnvironmentMixedError: exitCode.usage,
    DatabaseUnreachableError: exitCode.usage,
    DatabaseUnsuitableError: exitCode.usage,
    DatabaseRefusedError: exitCode.usage,
    BaseUrlError: exitCode.usage,
    FileNotWrittenError: exitCode.usage,
    DownloadFolderError: exitCode.usage,
    QueueUnreachableError: exitCode.usage,
    RedisUnreachableError: exitCode.usage,
    RedisRefusedError: exitCode.usage,
    RedisUnsuitableError: exitCode.usage,
    EmbeddedPostgresError: exitCode.usage,
    ClockSkewError: exitCode.usage,
    LedgerTooNewError: exitCode.usage,
    MigrationChangedError: exitCode.usage,
    MarkUnreadableError: exitCode.usage,
    ErasuresLostError: exitCode.usage,
    ErasuresUnreadableError: exitCode.usage,
    NotDurableError: exitCode.usage,
    SendingStoppedError: exitCode.needsPerson,
    ServiceUnreachableError: exitCode.service,
    KeysRefusedError: exitCode.service,
    WireError: exitCode.service,
  }),
)

/** Maps an error to its exit code; an unknown error is an internal one. Pure. */
export function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof Error)) return exitCode.fault
  if (error.name === 'ServiceRefusedError') return codeOfRefusal(error)
  return byErrorName.get(error.name) ?? exitCode.fault
}

/**
 * A failed token request or missing permission means that the service rejects our keys; any other refusal is about a
 * uuid or number in the configuration.
 */
function codeOfRefusal({ status, endpoint }: Error & { status?: number; endpoint?: string }): ExitCode {
  return endpoint === 'token' || status === 401 || status === 403 ? exitCode.service : exitCode.usage
}

/** Thrown if a command cannot work as it was called. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
