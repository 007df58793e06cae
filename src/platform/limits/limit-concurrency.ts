// Limits how many tasks run at the same time: to a fixed number, or to one that does the work of all its callers.

/**
 * Returns a function that runs at most `max` tasks at the same time, and the others afterwards in order. Invitations
 * need this in front of their gate, because they have few connections. An invitation that waited for a connection after
 * passing the gate would be sent in a second for which it has no slot.
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

/**
 * Returns a function with which one of many callers does what all of them want done: it runs one task at a time. The
 * first caller during a run waits and then runs its task, because the current run may have missed what that caller is
 * about; all others return at once, because that next run begins after their call. So nobody waits for longer than the
 * current run and one of their own, however often others call. If a run fails, only its caller learns of it.
 * @returns what the caller's own run returned; 0 if another caller runs the task
 */
export function runByOne(): (task: () => Promise<number>) => Promise<number> {
  let current: Promise<void> | null = null
  let isNextWaiting = false
  return async (task) => {
    if (current) {
      if (isNextWaiting) return 0
      isNextWaiting = true
      await current
      isNextWaiting = false
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    current = promise
    try {
      return await task()
    } finally {
      // The waiting caller has the next turn, before anyone who calls now.
      if (!isNextWaiting) current = null
      resolve()
    }
  }
}
