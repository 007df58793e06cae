// The settings of the watch, which checks issued credentials for revocations.

import { z } from 'zod'
import { parseSchedule } from '#src/platform/time/schedule.ts'

export const watchSettings = {
  watchWithin: z
    .string()
    .regex(/^0*[1-9]\d{0,8}(ms|s|m|h|d)$/, 'is not a duration; write it like 250ms, 15s, 10m, 6h or 30d')
    .default('30d')
    .describe(
      'Every issued credential is checked at least once in this time, for revocations made in the portal. If the report can be sorted by the date of revocation, all of them are checked every night.',
    ),
  watchAt: z
    .string()
    .refine(
      (text) => parseSchedule(text, 'UTC') !== null,
      'is neither a duration, such as 6h, nor a cron line of five fields with a possible time, such as 30 2 * * *',
    )
    .default('30 2 * * *')
    .describe(
      'When the next part of the issued credentials is checked: by a cron line (minute, hour, day, month, weekday; UTC), or at an interval.',
    ),
}
