// Stages a file's rows while the next batch is being read and checked.

/**
 * Checks and stages batches in order, one write at a time. When it returns or throws, no write is in progress, so
 * clearing the staged rows afterwards clears all of them.
 * @returns the number of staged rows
 * @throws any error from reading, checking or staging
 */
export async function stageInBackground<Raw, Row>(
  batches: AsyncIterable<Raw>,
  check: (batch: Raw) => readonly Row[],
  stage: (rows: readonly Row[]) => Promise<void>,
): Promise<number> {
  let count = 0
  let staging: Promise<void> = Promise.resolve()
  try {
    for await (const batch of batches) {
      const rows = check(batch)
      await staging
      staging = stage(rows)
      // The promise is awaited below. Until then, a failure must not be reported as an unhandled rejection.
      staging.catch(() => {})
      count += rows.length
    }
    await staging
    return count
  } finally {
    await staging.catch(() => {})
  }
}
