// A file on its way into staging: while the database takes one batch, the next is read and checked.

/**
 * Checks and stages batches in their order, one of them under way at a time. Nothing is under way any more when it returns or throws: whoever then
 * clears the staged rows clears all of them.
 * @returns how many rows were staged
 * @throws what reading, checking and staging throw
 */
export async function stageBehind<Raw, Row>(
  batches: AsyncIterable<Raw>,
  check: (batch: Raw) => readonly Row[],
  stage: (rows: readonly Row[]) => Promise<void>,
): Promise<number> {
  let read = 0
  let underWay: Promise<void> = Promise.resolve()
  try {
    for await (const batch of batches) {
      const rows = check(batch)
      await underWay
      underWay = stage(rows)
      // It is waited for below; until then a failure must not count as one that nobody hears of.
      underWay.catch(() => {})
      read += rows.length
    }
    await underWay
    return read
  } finally {
    await underWay.catch(() => {})
  }
}
