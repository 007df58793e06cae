// Those who wait for a slot, first come first served.

export interface Takers {
  /** See Slots.take. */
  join(signal?: AbortSignal): Promise<number>
  /** Lets the first one send, in this tick. False when nobody waits. */
  serve(): boolean
  /** Tells all of them to come again in `ms` milliseconds. */
  sendAway(ms: number): void
  waiting(): number
  /** Aborted when nobody waits any more: then nobody needs to wait on their behalf. */
  wanted(): AbortSignal
}

interface Taker {
  leave(outcome: () => void): void
  resolve(ms: number): void
}

export function openTakers(): Takers {
  let queue: Taker[] = []
  let want = new AbortController()

  function remove(taker: Taker): void {
    queue = queue.filter((each) => each !== taker)
    if (queue.length > 0) return
    want.abort()
    want = new AbortController()
  }

  function join(signal?: AbortSignal): Promise<number> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const taker: Taker = {
        resolve,
        leave(outcome) {
          signal?.removeEventListener('abort', onAbort)
          remove(taker)
          outcome()
        },
      }
      const onAbort = () => taker.leave(() => reject(signal?.reason))
      signal?.addEventListener('abort', onAbort, { once: true })
      queue.push(taker)
    })
  }

  const tell = (taker: Taker, ms: number) => taker.leave(() => taker.resolve(ms))
  return {
    join,
    serve() {
      const first = queue[0]
      if (first) tell(first, 0)
      return first !== undefined
    },
    sendAway(ms) {
      for (const taker of queue) tell(taker, ms)
    },
    waiting: () => queue.length,
    wanted: () => want.signal,
  }
}
