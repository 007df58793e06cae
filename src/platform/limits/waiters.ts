// A first-in, first-out queue of callers that wait for a slot.

export interface Waiters {
  /** See Slots.take. */
  join(signal?: AbortSignal): Promise<number>
  /** Lets the first caller send, in this tick. Returns false if no caller waits. */
  serve(): boolean
  /** Resolves all waiting calls with `ms`, the milliseconds until they may try again. */
  sendAway(ms: number): void
  waiting(): number
  /**
   * Returns a signal that is aborted when no caller is waiting any longer, so that work on behalf of callers can stop.
   */
  noneWaitingSignal(): AbortSignal
}

interface Waiter {
  leave(outcome: () => void): void
  resolve(ms: number): void
}

export function openWaiters(): Waiters {
  let queue: Waiter[] = []
  let noneWaiting = new AbortController()

  function remove(waiter: Waiter): void {
    queue = queue.filter((each) => each !== waiter)
    if (queue.length > 0) return
    noneWaiting.abort()
    noneWaiting = new AbortController()
  }

  function join(signal?: AbortSignal): Promise<number> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const waiter: Waiter = {
        resolve,
        leave(outcome) {
          signal?.removeEventListener('abort', onAbort)
          remove(waiter)
          outcome()
        },
      }
      const onAbort = () => waiter.leave(() => reject(signal?.reason))
      signal?.addEventListener('abort', onAbort, { once: true })
      queue.push(waiter)
    })
  }

  const release = (waiter: Waiter, ms: number) => waiter.leave(() => waiter.resolve(ms))
  return {
    join,
    serve() {
      const first = queue[0]
      if (first) release(first, 0)
      return first !== undefined
    },
    sendAway(ms) {
      for (const waiter of queue) release(waiter, ms)
    },
    waiting: () => queue.length,
    noneWaitingSignal: () => noneWaiting.signal,
  }
}
