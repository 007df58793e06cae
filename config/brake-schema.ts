// The settings of a pipeline's brake: how many credentials may be issued without an operator's decision.
// src/domain/credential/brake.ts applies them.

import { z } from 'zod'

export const brakeSchema = z
  .strictObject({
    rows: z.int().min(0).max(10_000_000).optional().describe('Stops a run that would issue more than this many rows.'),
    percent: z
      .int()
      .min(0)
      .max(10_000)
      .optional()
      .describe(
        'Stops a run that exceeds its usual size by more than this many percent. The usual size is the median of the last ten runs that issued anything. The setting does not apply until there are three such runs, or to runs of 20 rows or fewer.',
      ),
    perDay: z
      .int()
      .min(0)
      .max(10_000_000)
      .optional()
      .describe(
        'Stops a run that would issue more than this many rows, including all rows that the pipeline issued in the last 24 hours without approval by an operator, because each single event is a small run. Completions that arrive in the meantime wait until an operator has decided about the stopped run.',
      ),
  })
  .refine(
    ({ rows, percent, perDay }) => rows !== undefined || percent !== undefined || perDay !== undefined,
    'is empty; set rows, percent or perDay, or several of them',
  )
  .describe(
    'A run that would issue more than this waits before its first call, until `credsync approve RUN` or `credsync reject RUN`. If omitted, no run is stopped.',
  )
