// The folder of the downloads cannot be used, or not any more: the same for every file, so nothing goes on.

export class DownloadFolderError extends Error {
  override readonly name = 'DownloadFolderError'
}

/** What went wrong with the file system at `path`, as a sentence with the next step. */
export function folderFault(path: string, error: unknown): DownloadFolderError {
  if (error instanceof DownloadFolderError) return error
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException
  return new DownloadFolderError(
    `${path} could not be written or read (${code}). Check the folder, its permissions and its room; what is there already is not fetched anew.`,
  )
}
