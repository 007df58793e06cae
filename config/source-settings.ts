// The settings of a pipeline's automatic source: an inbox folder that is scanned on a schedule, or the completions of a
// learning system.

import { z } from 'zod'
import { isTimeZone, parseSchedule } from '#src/platform/time/schedule.ts'
import { systemName } from './system-name.ts'

const duration = /^0*[1-9]\d{0,8}(ms|s|m|h|d)$/

const inboxSchema = z
  .strictObject({
    inbox: z
      .string()
      .min(1)
      .describe(
        'An existing folder. Its files are moved to its sub-folder `processing`, and later to `done` or `refused`. Relative paths are resolved from the working directory.',
      ),
    pattern: z
      .string()
      .min(1)
      .refine(
        (pattern) => !/[/\\]/.test(pattern),
        'must be a pattern for file names without / and \\, because sub-folders are not scanned',
      )
      .default('*.{csv,xlsx,zip}')
      .describe('The pattern of the names of files to take, ignoring case.'),
    schedule: z
      .string()
      .refine(
        (text) => parseSchedule(text, 'UTC') !== null,
        'is neither a duration, such as 5m, nor a cron line of five fields with a possible time, such as 0 2 * * *',
      )
      .default('1m')
      .describe('When the folder is scanned: at an interval, such as 5m, or by a cron line, such as `0 2 * * *`.'),
    timeZone: z
      .string()
      .refine(isTimeZone, 'is not a time zone that this machine knows; write it like Europe/Berlin')
      .default('UTC')
      .describe('The time zone of the cron line, such as Europe/Berlin.'),
    settle: z
      .string()
      .regex(duration, 'is not a duration; write it like 250ms, 15s, 10m, 6h or 30d')
      .default('10s')
      .describe('How long a file must remain unchanged before it is taken.'),
    marker: z
      .string()
      .regex(/^[^/\\]{1,20}$/, 'is not the end of a name, such as .done')
      .optional()
      .describe(
        'If set, a file is taken only if a second file with its name and this ending exists, such as list.csv.done for `.done`. This is the most reliable sign that a file is complete.',
      ),
  })
  .describe('Files that are taken automatically while `credsync start` runs.')

const completionsSchema = z
  .strictObject({
    system: systemName.describe('The learning system (of `systems`) whose completions are issued.'),
    course: z
      .string()
      .min(1)
      .describe(
        'The course as that system names it: for a Moodle site its ID number; for a Canvas site its id, or sis_course_id: and its SIS id.',
      ),
    renewAfter: z
      .string()
      .regex(duration, 'is not a duration; write it like 250ms, 15s, 10m, 6h or 30d')
      .optional()
      .describe(
        'A completion that is this much later than the newest known one gets another credential; an older one never does. If omitted, each learner gets only one credential, forever.',
      ),
  })
  .describe('Completions that a learning system reports.')

export const sourceSchema = z
  .union([inboxSchema, completionsSchema], {
    error: 'is neither an inbox ({ inbox: … }) nor completions of a learning system ({ system: …, course: … })',
  })
  .describe('The automatic source of the rows: files in an inbox, or completions of a learning system.')

export type InboxSettings = z.infer<typeof inboxSchema>
