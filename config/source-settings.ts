// Where a pipeline's files come from by themselves: a folder that is looked at on a schedule.

import { z } from 'zod'
import { isTimeZone, parseSchedule } from '#src/time/schedule.ts'
import { completionsSchema } from './system-settings.ts'

const duration = /^0*[1-9]\d{0,8}(ms|s|m|h|d)$/

const inboxSchema = z
  .strictObject({
    inbox: z
      .string()
      .min(1)
      .describe(
        'A folder that exists. Its files are taken into its sub-folder `processing`, and end in `done` or `refused`. Relative paths start at the working directory.',
      ),
    pattern: z
      .string()
      .min(1)
      .refine(
        (pattern) => !/[/\\]/.test(pattern),
        'is about names; sub-folders are not looked at, so leave / and \\ out',
      )
      .default('*.{csv,xlsx,zip}')
      .describe('Which names are taken, ignoring case.'),
    schedule: z
      .string()
      .refine(
        (text) => parseSchedule(text, 'UTC') !== null,
        'is neither a duration, such as 5m, nor a cron line of five fields that comes at some time, such as 0 2 * * *',
      )
      .default('1m')
      .describe('When the folder is looked at: every so often, such as 5m, or by a cron line, such as `0 2 * * *`.'),
    timeZone: z
      .string()
      .refine(isTimeZone, 'is not a time zone that this machine knows; write it like Europe/Berlin')
      .default('UTC')
      .describe('The time zone of the cron line, such as Europe/Berlin.'),
    settle: z
      .string()
      .regex(duration, 'is not a duration; write it like 250ms, 15s, 10m, 6h or 30d')
      .default('10s')
      .describe('For how long a file must not have changed before it is taken.'),
    marker: z
      .string()
      .regex(/^[^/\\]{1,20}$/, 'is not the end of a name, such as .done')
      .optional()
      .describe(
        'Take FILE only when FILE with this ending is there too, such as .done. The surest sign that it is whole.',
      ),
  })
  .describe('Files that are taken by themselves while `credsync start` runs.')

export const sourceSchema = z
  .union([inboxSchema, completionsSchema], {
    error: 'is neither an inbox ({ inbox: … }) nor completions of a learning system ({ system: …, course: … })',
  })
  .describe('Where its people come from by themselves: files in an inbox, or completions of a learning system.')

export type InboxSettings = z.infer<typeof inboxSchema>
