// Measures how the cost of work grows with its size, as a ratio of CPU times in one run, so that other load on the
// machine does not affect it.

/** Takes the minimum of several runs, because garbage collection or first compilation slows some of them. */
const tries = 3

/**
 * Returns how many times as much CPU time `work(4)` takes as `work(1)`: 4 if linear, 16 if quadratic. Less than a
 * millisecond counts as one.
 * @param work does its work with the given multiple of the size
 */
export async function growth(work: (times: number) => unknown): Promise<number> {
  let ratio = Number.POSITIVE_INFINITY
  // Cold caches under load can raise one measurement; quadratic cost raises all of them.
  for (let n = 0; n < tries && ratio >= linear; n++) ratio = Math.min(ratio, await growthOnce(work))
  return ratio
}

async function growthOnce(work: (times: number) => unknown): Promise<number> {
  const minCpuMs = async (times: number) => {
    let ms = Number.POSITIVE_INFINITY
    for (let n = 0; n < tries; n++) {
      const before = process.cpuUsage()
      await work(times)
      const { user, system } = process.cpuUsage(before)
      ms = Math.min(ms, (user + system) / 1_000)
    }
    return Math.max(ms, 1)
  }
  const one = await minCpuMs(1)
  return (await minCpuMs(4)) / one
}

/** A limit between linear and quadratic growth. */
export const linear = 9
