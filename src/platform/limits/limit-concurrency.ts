// Limits how many tasks run at the same time: either to a fixed number, or to a single run that serves all waiting
// callers.

/**
 * Returns a function that runs at most `max` tasks at the same time. Further tasks wait and run in order. Invitations
 * need this in front of their gate, because they have few connections. An invitation that waited for a connection after
 * passing the gate would be sent too late for its slot, in another second.
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
 * Returns a function that lets one of many concurrent callers do the work for all of them. It runs one task at a time.
 * The first caller during a run waits and then runs its own task, because the current run may have missed the reason
 * for its call. Further callers return immediately, because the waiting caller's run starts after their call. So no
 * caller waits for more than the current run and its own, however many others call. If a run fails, only its own caller
 * receives the error.
 * @returns the result of the caller's own run, or 0 if another caller runs the task
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
