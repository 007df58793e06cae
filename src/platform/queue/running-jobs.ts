// Tracks the jobs that this process is running, each with a signal that can stop it early.

/** The reason with which a job's signal is aborted: another worker took its lock, or the process can wait no longer. */
export class JobInterruptedError extends Error {
  override readonly name = 'JobInterruptedError'

  constructor(reason: 'lock-lost' | 'deadline') {
    super(`The job was interrupted (${reason}). Start nothing new for it; it will be run again.`)
  }
}

export class RunningJobs {
  readonly #runs = new Set<{ queue: string; jobId: string; controller: AbortController }>()
  readonly #startedCount = new Map<string, number>()
  #waiting: (() => void)[] = []

  get size(): number {
    return this.#runs.size
  }

  /** Registers a run. `end` must be called once, however the run ended. */
  start(jobId: string, queue = ''): { signal: AbortSignal; end: () => void } {
    const run = { queue, jobId, controller: new AbortController() }
    this.#runs.add(run)
    this.#startedCount.set(queue, this.startedCount(queue) + 1)
    const end = () => {
      this.#runs.delete(run)
      if (this.#runs.size > 0) return
      for (const wake of this.#waiting) wake()
      this.#waiting = []
    }
    return { signal: run.controller.signal, end }
  }

  /** Returns how many runs of the queue's jobs have been started so far. */
  startedCount(queue: string): number {
    return this.#startedCount.get(queue) ?? 0
  }

  /** Returns how many runs of the queue's jobs have not ended. */
  unfinishedCount(queue: string): number {
    return [...this.#runs].filter((run) => run.queue === queue).length
  }

  /** Aborts the runs of a job whose lock has been lost: another worker may already be running it. */
  abortAfterLostLock(jobId: string): void {
    for (const run of this.#runs) if (run.jobId === jobId) run.controller.abort(new JobInterruptedError('lock-lost'))
  }

  /** Aborts every run. */
  interruptAll(): void {
    for (const run of this.#runs) run.controller.abort(new JobInterruptedError('deadline'))
  }

  /** Resolves once no job is running. */
  idle(): Promise<void> {
    if (this.#runs.size === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
