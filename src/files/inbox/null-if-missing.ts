// Treats a missing file as a result, not as an error.

/** Resolves to the result of a file system operation, or to null if the file does not exist. */
export function nullIfMissing<Result>(operation: Promise<Result>): Promise<Result | null> {
  return operation.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
