// A lane of fixed width: at most so many works at once, the others wait their turn in order.

/**
 * Invitations need this in front of their gate: they have few connections, and one that waits for a connection after it
 * passed the gate would be sent in a second for which it has no allowance.
 */
export function openLane(width: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = []
  let free = width
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
