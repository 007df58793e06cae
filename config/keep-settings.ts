// The setting for how long files are kept.

import { z } from 'zod'

/** @param what the files, for the description */
export function keepDays(what: string) {
  return z.int().min(1).max(36_500).optional().describe(`After how many days ${what} Default: they are kept for ever.`)
}

export const filesSchema = z
  .strictObject({
    keepDays: keepDays(
      'the files of a run are removed: its results, invalid rows and summary in the outbox, and its source file in the folders `done` and `refused` of an inbox. Counted from when the run ended, or its results were last written. A file whose run still waits for something is never removed.',
    ),
  })
  .prefault({})
  .describe('The files in outboxes and inboxes.')
