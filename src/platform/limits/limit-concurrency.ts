// Limits concurrency: runs at most a fixed number of tasks at the same time, and the others afterwards in order.

/**
 * Invitations need this in front of their gate, because they have few connections. An invitation that waited for a
 * connection after passing the gate would be sent in a second for which it has no slot.
 */
export function limitConcurrency(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = []
  let free = max
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else free += 1
    }
  }
}
