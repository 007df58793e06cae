// The settings of a pipeline's automatic source (an inbox folder that is scanned on a schedule, or the completions of a
// learning system) and of its brake.

import { z } from 'zod'
import { isTimeZone } from '#src/platform/time/schedule.ts'
import { duration, durationText, schedule } from './duration-setting.ts'

/** The name of a learning system. */
export const systemName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'is not allowed; use lower-case letters, digits and hyphens')

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
    schedule: schedule('1m').describe(
      'When the folder is scanned: at an interval, such as 5m, or by a cron line, such as `0 2 * * *`.',
    ),
    timeZone: z
      .string()
      .refine(isTimeZone, 'is not a time zone that this machine knows; write it like Europe/Berlin')
      .default('UTC')
      .describe('The time zone of the cron line, such as Europe/Berlin.'),
    settle: duration('10s').describe('How long a file must remain unchanged before it is taken.'),
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
    renewAfter: durationText()
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

/**
 * How many credentials a pipeline may issue without an operator's decision. src/domain/credential/brake.ts applies it.
 */
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
