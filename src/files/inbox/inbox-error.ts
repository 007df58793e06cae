// Turns file system errors of an inbox into an error that says why the folder cannot be used, or into null for a
// missing file. The error may be temporary: a drive may not be mounted, or a permission may be missing.

export class InboxError extends Error {
  override readonly name = 'InboxError'
  /** The system's code, such as ENOENT; `not-ours` if a sub-folder of the worker was replaced by something else. */
  readonly code: string
  constructor(folder: string, code: string, sentence = meanings[code] ?? code) {
    super(`The inbox ${folder} cannot be used: ${sentence}. The worker will try again.`)
    this.code = code
  }
}

const meanings: Record<string, string> = {
  ENOENT: 'it does not exist (ENOENT)',
  ENOTDIR: 'it is not a folder (ENOTDIR)',
  EACCES: 'this account may not read and write it (EACCES)',
  EPERM: 'this account may not read and write it (EPERM)',
  EROFS: 'it is on a read-only file system (EROFS)',
  EXDEV: 'its sub-folders are on another file system (EXDEV)',
  ENOSPC: 'its file system is full (ENOSPC)',
}

/** Runs `work`, and turns file system errors into an InboxError. */
export async function asInboxError<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === undefined || syscall === undefined) throw error
    throw new InboxError(folder, code)
  }
}

/** Resolves to the result of a file system operation, or to null if the file does not exist. */
export function nullIfMissing<Result>(operation: Promise<Result>): Promise<Result | null> {
  return operation.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
