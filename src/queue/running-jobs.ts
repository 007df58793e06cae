// The jobs this process is working on now, each with the signal that can end it early.

/** Why a job's signal was aborted: its lock went to another worker, or the process may wait no longer. */
export class JobInterruptedError extends Error {
  override readonly name = 'JobInterruptedError'

  readonly reason: 'lock-lost' | 'deadline'

  constructor(reason: 'lock-lost' | 'deadline') {
    super(`The job was interrupted (${reason}). Start nothing new for it; it is run again.`)
    this.reason = reason
  }
}

export class RunningJobs {
  readonly #runs = new Set<{ queue: string; jobId: string; controller: AbortController }>()
  readonly #turns = new Map<string, number>()
  #waiting: (() => void)[] = []

  get size(): number {
    return this.#runs.size
  }

  /** Notes a run. `end` must be called once, however the run ended. */
  start(jobId: string, queue = ''): { signal: AbortSignal; end: () => void } {
    const run = { queue, jobId, controller: new AbortController() }
    this.#runs.add(run)
    this.#turns.set(queue, this.begun(queue) + 1)
    const end = () => {
      this.#runs.delete(run)
      if (this.#runs.size > 0) return
      for (const wake of this.#waiting) wake()
      this.#waiting = []
    }
    return { signal: run.controller.signal, end }
  }

  /** Runs of the queue so far. */
  begun(queue: string): number {
    return this.#turns.get(queue) ?? 0
  }

  /** Runs of the queue that have not ended. */
  underWay(queue: string): number {
    return [...this.#runs].filter((run) => run.queue === queue).length
  }

  /** Aborts the runs of one job, because its lock is lost: another worker may already run it. */
  loseLock(jobId: string): void {
    for (const run of this.#runs) if (run.jobId === jobId) run.controller.abort(new JobInterruptedError('lock-lost'))
  }

  /** Aborts every run. */
  interruptAll(): void {
    for (const run of this.#runs) run.controller.abort(new JobInterruptedError('deadline'))
  }

  /** Resolves when nothing runs. */
  idle(): Promise<void> {
    if (this.#runs.size === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
