// Kills the child process, in the middle of a step, when it reaches its point for the n-th time.

export interface ArmedPoint {
  /** A name from points.ts. */
  point: string
  /** The occurrence at which the process is killed, counted from 1. */
  hit: number
}

/** Reports that a point is reached. Does not return if it is the armed point. */
export type Reach = (point: string) => void

export function openFailpoint(armed: ArmedPoint | null): Reach {
  let reached = 0
  return (point) => {
    if (point !== armed?.point || ++reached < armed.hit) return
    process.kill(process.pid, 'SIGKILL')
    // The signal may take a moment to arrive; nothing more may happen until then.
    for (;;);
  }
}
