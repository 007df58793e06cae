// Where a child ends: the n-th time that its point is reached it is killed by the system, in the middle of the step.

export interface Armed {
  /** A name from points.ts. */
  point: string
  /** The first time is 1. */
  hit: number
}

/** Tells that a point is reached; does not return from the one that is armed. */
export type Reach = (point: string) => void

export function openFailpoint(armed: Armed | null): Reach {
  let reached = 0
  return (point) => {
    if (point !== armed?.point || ++reached < armed.hit) return
    process.kill(process.pid, 'SIGKILL')
    // The signal may take a moment to come; until then nothing more may happen.
    for (;;);
  }
}
