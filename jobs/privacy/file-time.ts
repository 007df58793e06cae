// The time that one sweep spends on the files of all erasures.

import type { Clock } from '#src/platform/time/clock.ts'

/** How long files may be written or removed. A step that takes longer is carried out to its end. */
export interface FileTime {
  leftMs: number
}

/** Carries out a step, and subtracts what it takes, also if it fails. */
export async function withinFileTime<Result>(
  clock: Clock,
  time: FileTime,
  step: () => Promise<Result>,
): Promise<Result> {
  const beganMs = clock.monotonicMs()
  try {
    return await step()
  } finally {
    time.leftMs -= clock.monotonicMs() - beganMs
  }
}
