// A folder that cannot be used. It may come back: a drive that is away, a right that is given.

export class InboxError extends Error {
  override readonly name = 'InboxError'
  /** The system's, such as ENOENT. */
  readonly code: string
  constructor(folder: string, code: string) {
    super(`The inbox ${folder} cannot be used: ${meanings[code] ?? code}. It is tried again.`)
    this.code = code
  }
}

const meanings: Record<string, string> = {
  ENOENT: 'it is not there (ENOENT)',
  ENOTDIR: 'it is not a folder (ENOTDIR)',
  EACCES: 'this account may not read and write it (EACCES)',
  EPERM: 'this account may not read and write it (EPERM)',
  EROFS: 'it is on a file system that is read-only (EROFS)',
  EXDEV: 'its sub-folders are on another file system (EXDEV)',
  ENOSPC: 'its file system is full (ENOSPC)',
}

/** Runs `work`; what the file system says of it is the inbox's fault. */
export async function asInboxError<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === undefined || syscall === undefined) throw error
    throw new InboxError(folder, code)
  }
}
