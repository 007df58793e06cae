// The error for a download folder that cannot be used. Every other file would fail in the same way, so the command
// stops.

export class DownloadFolderError extends Error {
  override readonly name = 'DownloadFolderError'
}

/** Wraps a file system error at `path` in a message that says what to do next. */
export function folderFault(path: string, error: unknown): DownloadFolderError {
  if (error instanceof DownloadFolderError) return error
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException
  return new DownloadFolderError(
    `${path} could not be written or read (${code}). Check the folder, its permissions and its free space; certificates that are already in the folder are not fetched again.`,
  )
}
