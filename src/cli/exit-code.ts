// Exit codes: a contract with the scripts that call us.

export const exitCode = {
  ok: 0,
  fault: 1,
  usage: 2,
  needsPerson: 3,
  /** Not reached, our keys refused, or an answer that is surely not whole: what was shown must not be taken for all. */
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
    CourseUnknownError: exitCode.usage,
    CourseFileError: exitCode.usage,
    CourseInputError: exitCode.usage,
    EnvironmentMixedError: exitCode.usage,
    DatabaseUnreachableError: exitCode.usage,
    BaseUrlError: exitCode.usage,
    FileNotKeptError: exitCode.usage,
    DownloadFolderError: exitCode.usage,
    QueueUnreachableError: exitCode.usage,
    RedisUnreachableError: exitCode.usage,
    RedisRefusedError: exitCode.usage,
    RedisUnfitError: exitCode.usage,
    EmbeddedPostgresError: exitCode.usage,
    ClockSkewError: exitCode.usage,
    LedgerTooNewError: exitCode.usage,
    ServiceUnreachableError: exitCode.service,
    KeysRefusedError: exitCode.service,
    WireError: exitCode.service,
  }),
)

/** Pure. What no rule knows is a fault of ours. */
export function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof Error)) return exitCode.fault
  if (error.name === 'ServiceRefusedError') return codeOfRefusal(error)
  return byErrorName.get(error.name) ?? exitCode.fault
}

/** No token and no permission are the service refusing us; any other no is an answer to a uuid or number of the configuration. */
function codeOfRefusal({ status, endpoint }: Error & { status?: number; endpoint?: string }): ExitCode {
  return endpoint === 'token' || status === 401 || status === 403 ? exitCode.service : exitCode.usage
}

/** The command was called in a way that cannot work. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
