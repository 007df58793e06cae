// Runs several cases concurrently, because they mostly wait for the report.

/** Runs `work` for each item, `width` at a time. The first error is thrown after all started items have ended. */
export async function inPool<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items]
  const failures: unknown[] = []
  const lane = async () => {
    for (let item = left.shift(); item !== undefined && failures.length === 0; item = left.shift())
      await work(item).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: width }, lane))
  if (failures.length > 0) throw failures[0]
}
