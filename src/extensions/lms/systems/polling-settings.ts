// The settings that all polled systems have in common: when to poll, and the rate limit. Pure.

import { z } from 'zod'
import { isTimeZone, parseSchedule } from '#src/platform/time/schedule.ts'

const schedule = z
  .string()
  .refine(
    (text) => parseSchedule(text, 'UTC') !== null,
    'is neither a duration, such as 15m, nor a cron line of five fields with a possible time, such as 30 2 * * *',
  )

export const pollingSettings = {
  every: schedule.default('15m').describe('When it is polled for new completions: an interval or a cron line.'),
  sweep: schedule
    .default('30 2 * * *')
    .describe('When every learner is checked, including those with no reported changes, and deliveries are read back.'),
  timeZone: z
    .string()
    .refine(isTimeZone, 'is not a time zone that this machine knows; write it like Europe/Berlin')
    .default('UTC')
    .describe('The time zone of the cron lines and of the day on which a course was completed.'),
  perSecond: z.int().min(1).max(50).default(10).describe('The maximum number of calls per second.'),
}
