// Named locks within one process, each held by an owner. A simulated process that dies loses all its locks, as its
// connections would.

export interface MemoryLock {
  /** Settles when the lock was lost without being released. */
  readonly lost: Promise<void>
  release(): Promise<void>
}

export interface MemoryLocks {
  /**
   * Waits in order of arrival. Returns null if `wait` is false and anyone, including the same owner, holds the lock.
   */
  take(owner: string, name: string, wait: boolean): Promise<MemoryLock | null>
  isHeld(name: string): boolean
  /** The owner has died: its locks are lost and free, and its waits never end. */
  releaseAll(owner: string): void
}

interface Held {
  owner: string
  lock: MemoryLock
  lose: () => void
}

interface Waiting {
  owner: string
  give: (lock: MemoryLock) => void
}

export function memoryLocks(): MemoryLocks {
  const holders = new Map<string, Held>()
  const queues = new Map<string, Waiting[]>()

  function hold(owner: string, name: string): MemoryLock {
    const { promise: lost, resolve: lose } = Promise.withResolvers<void>()
    const lock: MemoryLock = { lost, release: async () => free(name, lock) }
    holders.set(name, { owner, lock, lose })
    return lock
  }

  /** Does nothing for a lock that has been lost. */
  function free(name: string, lock: MemoryLock): void {
    if (holders.get(name)?.lock !== lock) return
    holders.delete(name)
    const next = queues.get(name)?.shift()
    if (next) next.give(hold(next.owner, name))
  }

  return {
    async take(owner, name, wait) {
      if (!holders.has(name)) return hold(owner, name)
      if (!wait) return null
      const { promise, resolve: give } = Promise.withResolvers<MemoryLock>()
      queues.set(name, [...(queues.get(name) ?? []), { owner, give }])
      return promise
    },
    isHeld: (name) => holders.has(name),
    releaseAll(owner) {
      for (const [name, queue] of queues)
        queues.set(
          name,
          queue.filter((each) => each.owner !== owner),
        )
      for (const [name, held] of [...holders]) {
        if (held.owner !== owner) continue
        held.lose()
        free(name, held.lock)
      }
    },
  }
}
