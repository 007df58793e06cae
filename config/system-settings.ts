// The settings of learning systems: where completions come from, and where outcomes are told.

import { z } from 'zod'
import { isTimeZone, parseSchedule } from '#src/time/schedule.ts'
import { eventAuthSchema, isStandardSecret } from './event-auth-settings.ts'
import { eventMapSchema } from './event-map-settings.ts'
import { jsonPointer } from './json-pointer-text.ts'

const duration = z
  .string()
  .regex(/^0*[1-9]\d{0,8}(ms|s|m|h|d)$/, 'is not a duration; write it like 250ms, 15s, 10m, 6h or 30d')

const schedule = z
  .string()
  .refine(
    (text) => parseSchedule(text, 'UTC') !== null,
    'is neither a duration, such as 15m, nor a cron line of five fields that comes at some time, such as 30 2 * * *',
  )

const systemName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'is not allowed; use small letters, digits and hyphens')

const confirm = systemName
  .optional()
  .describe(
    'The system of type moodle or canvas that is asked about each event. The event is then only a hint, and needs nothing but the learner and the course.',
  )

/** When a system that can be asked is asked, and how often at most. */
const asking = {
  every: schedule
    .default('15m')
    .describe('How often it is asked for new completions: every so often, or by a cron line.'),
  sweep: schedule
    .default('30 2 * * *')
    .describe('When every learner is asked about, whatever was heard, and what was written is read back.'),
  timeZone: z
    .string()
    .refine(isTimeZone, 'is not a time zone that this machine knows; write it like Europe/Berlin')
    .default('UTC')
    .describe('The time zone of the cron lines and of the day on which a course was completed.'),
  perSecond: z.int().min(1).max(50).default(10).describe('Calls a second.'),
}

const moodle = z
  .strictObject({
    type: z.literal('moodle').describe('A Moodle (4.1 or newer) with its REST web services.'),
    url: z.url({ protocol: /^https?$/ }).describe('Its address, as a browser shows it.'),
    token: z.string().min(1).describe('The token of its service account, best from the environment.'),
    report: z
      .int()
      .positive()
      .optional()
      .describe(
        'The id of a custom report "Course participants". With it a poll costs one call and one for each new completion; without it one for each learner.',
      ),
    reportColumn: z
      .int()
      .positive()
      .optional()
      .describe(
        'The column of that report that is filled only for those who completed, 1 for the first; best that of the time. Without it every column that tells of progress counts, and more learners are asked about than need be.',
      ),
    ...asking,
    atOnce: z
      .int()
      .min(1)
      .max(10)
      .default(2)
      .describe('Calls under way at once: a learner must not wait because of us.'),
  })
  .describe('A Moodle that is asked for completions, and can be told outcomes.')

const maxBytes = z.int().min(1_000).max(10_000_000).default(1_000_000).describe('The largest body that is taken.')

const retentionDays = z
  .int()
  .min(1)
  .max(3_650)
  .default(90)
  .describe(
    'So many days after a delivery came to rest its body and headers are removed. What waits, or needs a person, is kept; so is what recognises the same delivery when it comes again.',
  )

const canvas = z
  .strictObject({
    type: z.literal('canvas').describe('A Canvas with its REST API.'),
    url: z.url({ protocol: /^https?$/ }).describe('Its address, as a browser shows it.'),
    token: z.string().min(1).describe('An access token of its service account, best from the environment.'),
    ...asking,
    sweep: asking.sweep.describe('When every learner is asked about, whatever was heard.'),
  })
  .describe('A Canvas that is asked for completions, and can be told outcomes.')

const webhook = z
  .strictObject({
    type: z.literal('webhook').describe('A system that posts JSON to /events/NAME.'),
    auth: eventAuthSchema,
    map: eventMapSchema,
    confirm,
    maxBytes,
    retentionDays,
  })
  .describe('A system that sends events.')

const xapi = z
  .strictObject({
    type: z.literal('xapi').describe('A system that sends xAPI statements to /xapi/NAME.'),
    user: z.string().min(1).describe('The name that it signs in with (Basic authentication).'),
    password: z.string().min(1).describe('Its password, best from the environment.'),
    activityTypes: z
      .array(z.url())
      .min(1)
      .default(['https://w3id.org/xapi/cmi5/activitytype/course', 'http://adlnet.gov/expapi/activities/course'])
      .describe('Types of activities whose completion counts. A finished page has the same verb as a finished course.'),
    course: jsonPointer
      .optional()
      .describe(
        'Where a statement names the course, as a JSON Pointer. Default: the external id that Moodle sends, else the id of the activity.',
      ),
    homePage: z
      .url()
      .optional()
      .describe(
        'The system whose accounts count, as statements name it in `actor.account.homePage`. A learner is then known by the name of the account alone; left out, by both, and accounts of any system count.',
      ),
    confirm,
    maxBytes,
    retentionDays,
  })
  .describe('A system that sends xAPI statements.')

const lti = z
  .strictObject({
    type: z.literal('lti').describe('A platform that takes scores (LTI 1.3 Assignment and Grade Services).'),
    clientId: z.string().min(1).describe('The id that the platform gave to the tool.'),
    tokenUrl: z.url({ protocol: /^https?$/ }).describe('Where the platform gives access tokens.'),
    privateKey: z.string().min(1).describe('The private key of the tool (PEM), best from the environment.'),
    keyId: z.string().min(1).optional().describe('The name of the key, where the platform reads keys from an address.'),
    audience: z
      .string()
      .min(1)
      .optional()
      .describe('Whom the signed request names as its reader, where that is not the token URL, as with Brightspace.'),
    issuer: z.string().min(1).optional().describe('Who signs, where that is not the client id.'),
  })
  .describe('A platform that outcomes are told to as scores.')

export const systemsSchema = z
  .record(systemName, z.discriminatedUnion('type', [moodle, canvas, webhook, xapi, lti]))
  .default({})
  .describe('Learning systems, each by its name.')

export const completionsSchema = z
  .strictObject({
    system: systemName.describe('The learning system (of `systems`) whose completions are issued.'),
    course: z
      .string()
      .min(1)
      .describe(
        'The course as that system names it; of a Moodle its ID number; of a Canvas its id, or sis_course_id: and its SIS id.',
      ),
    renewAfter: duration
      .optional()
      .describe(
        'A completion so much later than the one before is another occasion, with a credential of its own. Left out, there is one for each learner, for ever.',
      ),
  })
  .describe('Completions that a learning system tells.')

/** What a target can say of a credential. */
const said = z.enum(['credential', 'link', 'status', 'issued', 'expires'])

export const writeBackSchema = z
  .array(
    z.discriminatedUnion('to', [
      z
        .strictObject({
          to: z.literal('moodle-profile').describe('Fields in the profile of the learner.'),
          system: systemName.describe('The Moodle.'),
          fields: z
            .record(z.string().min(1), said)
            .describe('Short name of the profile field → credential (its id), link, status, issued or expires.'),
        })
        .describe('The profile of the learner in Moodle.'),
      z
        .strictObject({
          to: z.literal('moodle-assignment').describe('A grade with a comment in an assignment.'),
          system: systemName.describe('The Moodle.'),
          assignment: z.string().min(1).describe('The ID number of the assignment.'),
          grade: z.number().min(0).default(100).describe('The grade that is given with it.'),
        })
        .describe('An assignment of the course in Moodle.'),
      z
        .strictObject({
          to: z.literal('canvas-columns').describe("Custom columns of the course's gradebook, which teachers see."),
          system: systemName.describe('The Canvas.'),
          columns: z
            .record(z.string().min(1).max(255), said)
            .describe('Title of the column → credential (its id), link, status, issued or expires.'),
        })
        .describe('The gradebook of the course in Canvas.'),
      z
        .strictObject({
          to: z.literal('lti').describe('A score with a comment (LTI 1.3 AGS).'),
          system: systemName.describe('The platform.'),
          lineItem: z.url({ protocol: /^https?$/ }).describe('The address of the line item of the course.'),
          score: z.number().min(0).default(100).describe('The score that is given, of as many.'),
        })
        .describe('A column of the gradebook.'),
      z
        .strictObject({
          to: z.literal('webhook').describe('Signed events (Standard Webhooks).'),
          url: z.url({ protocol: /^https?$/ }).describe('Where they are posted.'),
          secret: z
            .string()
            .refine(
              isStandardSecret,
              'is not a secret of Standard Webhooks: whsec_ and then at least 16 bytes in base64',
            )
            .describe('The secret that signs them, best from the environment.'),
        })
        .describe('Signed events to a system of your own.'),
    ]),
  )
  .default([])
  .describe('Where outcomes are told besides the results file.')

export type SystemSettings = z.infer<typeof systemsSchema>[string]
export type MoodleSettings = z.infer<typeof moodle>
export type CanvasSettings = z.infer<typeof canvas>
export type WebhookSettings = z.infer<typeof webhook>
export type XapiSettings = z.infer<typeof xapi>
export type LtiSettings = z.infer<typeof lti>
export type CompletionsSettings = z.infer<typeof completionsSchema>
export type WriteBackSettings = z.infer<typeof writeBackSchema>[number]
