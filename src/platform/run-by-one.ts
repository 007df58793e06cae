// Lets one of many callers do what all of them want done.

/**
 * Returns a function that runs a task, once at a time. Whoever calls while it is running returns at once: the caller who
 * runs it then runs it once more, because the current run may have missed what the others call for. If it fails for
 * that caller, the others learn nothing of it.
 * @returns the sum of what the caller's own runs returned
 */
export function runByOne(): (task: () => Promise<number>) => Promise<number> {
  let isRunning = false
  let isWanted = false
  return async (task) => {
    isWanted = true
    if (isRunning) return 0
    isRunning = true
    try {
      let sum = 0
      while (isWanted) {
        isWanted = false
        sum += await task()
      }
      return sum
    } finally {
      isRunning = false
    }
  }
}
