// The brake of a pipeline: how much may be issued without anybody looking. What it does with these: src/issuance/brake.ts.

import { z } from 'zod'

export const brakeSchema = z
  .strictObject({
    rows: z.int().min(0).max(10_000_000).optional().describe('Stops a run that would issue more than so many rows.'),
    percent: z
      .int()
      .min(0)
      .max(10_000)
      .optional()
      .describe(
        'Stops a run that would issue more than so many percent above its usual size. Usual is the median of the last ten runs that issued anybody; with fewer than three there is none yet, and this does not apply; nor does it to 20 rows or fewer.',
      ),
  })
  .refine(
    ({ rows, percent }) => rows !== undefined || percent !== undefined,
    'holds nothing; give rows, percent or both',
  )
  .describe(
    'A run that would issue more waits before the first call, until `credsync approve RUN` or `credsync reject RUN`. Left out, nothing is held.',
  )
