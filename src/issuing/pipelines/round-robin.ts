// Takes batches from the pipelines in turn, so that a list of three people does not have to wait for a list of a
// hundred thousand.

/**
 * In each round, calls `take` up to `share` times (default 1) for every pipeline that still has work, until it has
 * taken `limit` in total.
 * @param take returns false if the pipeline has no more work
 */
export async function roundRobin<Pipeline extends { share?: number }>(
  waiting: readonly Pipeline[],
  limit: number,
  take: (pipeline: Pipeline) => Promise<boolean>,
): Promise<void> {
  let remaining = limit
  let round = waiting
  while (remaining > 0 && round.length > 0) {
    const next: Pipeline[] = []
    for (const pipeline of round) {
      let turns = Math.min(pipeline.share ?? 1, remaining)
      while (turns > 0 && (await take(pipeline))) {
        turns--
        remaining--
      }
      if (turns === 0) next.push(pipeline)
    }
    round = next
  }
}
