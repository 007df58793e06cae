// The settings of when lists or completions are expected, so that somebody is notified if they do not come.

import { z } from 'zod'
import { durationBetween } from '#config/duration-setting.ts'
import { parseDays } from '#src/platform/time/daily-deadlines.ts'
import { isTimeZone } from '#src/platform/time/schedule.ts'

const byTimeSchema = z.strictObject({
  by: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "is not a time of day; write it in quotes, like '06:00'")
    .describe("The time of day by which a list must have come, such as '06:00', in quotes."),
  days: z
    .string()
    .refine((text) => parseDays(text) !== null, 'is not a list of days; write it like mon-fri, or mon,wed,fri')
    .default('mon-sun')
    .describe('The days on which a list must come by then, such as mon-fri, or mon,wed,fri.'),
  timeZone: z
    .string()
    .refine(isTimeZone, 'is not a time zone that this machine knows; write it like Europe/Berlin')
    .default('UTC')
    .describe('The time zone of `by` and `days`, such as Europe/Berlin.'),
  minRows: z.int().min(0).default(0).describe('A list with fewer rows does not count.'),
})

const withinSchema = z.strictObject({
  within: durationBetween('1m', '3650d').describe(
    'The longest time that may pass without a list, or without a completion if the source is a learning system; 1m to 3650d.',
  ),
})

export const expectSchema = z
  .union([byTimeSchema, withinSchema], {
    error: "is neither { by: '06:00', … } nor { within: 7d }",
  })
  .describe('When a list must come, or a completion. If none comes, that is a notice of kind `missing`.')

export type ExpectSettings = z.infer<typeof expectSchema>
