// The settings schema for a system of type moodle, and the settings that all polled systems have in common. Pure.

import { z } from 'zod'
import { isTimeZone, parseSchedule } from '#src/platform/time/schedule.ts'

const schedule = z
  .string()
  .refine(
    (text) => parseSchedule(text, 'UTC') !== null,
    'is neither a duration, such as 15m, nor a cron line of five fields with a possible time, such as 30 2 * * *',
  )

/** The settings that all polled systems have in common: when to poll, and the rate limit. */
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

export const moodleSettings = z
  .strictObject({
    type: z.literal('moodle').describe('A Moodle site (4.1 or newer) with its REST web services.'),
    url: z.url({ protocol: /^https?$/ }).describe('The address of the Moodle site, as a browser shows it.'),
    token: z.string().min(1).describe('The token of its service account, preferably from the environment.'),
    report: z
      .int()
      .min(1)
      .optional()
      .describe(
        'The id of a custom report "Course participants". With it, a poll checks only the learners for whom a column about progress is filled; without it, every learner.',
      ),
    ...pollingSettings,
    atOnce: z
      .int()
      .min(1)
      .max(10)
      .default(2)
      .describe('The maximum number of concurrent calls: credsync must not slow down the site for learners.'),
  })
  .describe('A Moodle site that is polled for completions, and can receive outcomes.')

export type MoodleSettings = z.infer<typeof moodleSettings>
