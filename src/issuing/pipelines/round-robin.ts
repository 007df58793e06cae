// Takes batches from the pipelines in turn, so that a list of three people does not have to wait for a list of one
// hundred thousand.

/**
 * In each round, lets every pipeline that still has work take up to `share` batches (default 1), until `limit` batches
 * are taken in total. The last pipeline that has work takes the rest.
 * @param take takes up to `count` batches. @returns how many; 0 if the pipeline has no more work
 */
export async function roundRobin<Pipeline extends { share?: number }>(
  waiting: readonly Pipeline[],
  limit: number,
  take: (pipeline: Pipeline, count: number) => Promise<number>,
): Promise<void> {
  let remaining = limit
  let round = waiting
  while (remaining > 0 && round.length > 0) {
    const next: Pipeline[] = []
    for (const pipeline of round) {
      let turns = Math.min(round.length === 1 ? remaining : (pipeline.share ?? 1), remaining)
      for (let taken = 1; turns > 0 && taken > 0; turns -= taken, remaining -= taken)
        taken = await take(pipeline, turns)
      if (turns === 0) next.push(pipeline)
    }
    round = next
  }
}
