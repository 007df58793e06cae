// Every setting of the configuration file, once: its type, its default, its words. The JSON Schema for editors and the
// reference page are generated from here (config/generate.ts), and a test fails when they are stale.

import { z } from 'zod'
import { brakeSchema } from './brake-schema.ts'
import { archiveSchema, certificateHostsSchema } from './certificate-settings.ts'
import { limitsSchema } from './limits-settings.ts'
import { readingSchema } from './reading-settings.ts'
import { sourceSchema } from './source-settings.ts'
import { systemsSchema, writeBackSchema } from './system-settings.ts'
import { webSchema } from './web-settings.ts'

// A pattern and not a refinement by parseDuration: editors check it too. A test holds the two together.
const duration = (fallback: string) =>
  z
    .string()
    .regex(/^0*[1-9]\d{0,8}(ms|s|m|h|d)$/, 'is not a duration; write it like 250ms, 15s, 10m, 6h or 30d')
    .default(fallback)

const column = z.union(
  [
    z.string().min(1),
    z.strictObject({ value: z.string().min(1) }),
    z.strictObject({ column: z.string().min(1), date: z.string().min(1).optional() }),
  ],
  { error: 'is not the name of a column, nor { value: … }, nor { column: …, date: … }' },
)

const signature = z.union(
  [
    z.guid(),
    z.strictObject({
      uuid: z.guid().describe('uuid of the signature.'),
      required: z.boolean().default(true).describe('Passed on to the service as signature_req.'),
    }),
  ],
  { error: 'is not a uuid, nor { uuid: …, required: … }' },
)

/** Named by the contract, built later. Refused, and shown as wrong by editors, so that nobody relies on what does not happen. */
const later = z
  .never({ error: 'comes with a later version of credsync; remove it, so that nobody relies on what does not happen' })
  .optional()

export const pipelineSchema = z
  .strictObject({
    course: z.guid().optional().describe('The course, by its uuid. Give this or courseNumber.'),
    courseNumber: z.string().min(1).optional().describe('The course, by its short number, such as WELD-1.'),
    template: z.guid().describe('uuid of the template that draws the credential.'),
    badgeTemplate: z.guid().describe('uuid of the template that draws the badge.'),
    columns: z
      .record(z.string().min(1), column)
      .default({})
      .describe(
        'Field of the course → column of the file. `{ value: Email }` is a constant, `{ column: born, date: DD.MM.YYYY }` a column of dates. A field left out is matched by its name, ignoring case, spaces and underscores.',
      ),
    options: z
      .strictObject({
        sendEmail: z.boolean().optional().describe('The service e-mails the certificate to the recipient.'),
        attachCertificate: z.boolean().optional().describe('The certificate is attached to that e-mail.'),
        publicLink: z.boolean().optional().describe('A public link of the certificate is made.'),
        hideInWallet: z.boolean().optional().describe('The certificate is hidden in the wallet.'),
        issueToOrganisation: z.boolean().optional().describe('The certificate is issued to the Organisation.'),
      })
      .default({})
      .describe('Flags of the invitation. What is left out is not sent, and the service decides.'),
    signatures: z.array(signature).default([]).describe('uuids of signatures, or `{ uuid, required }`.'),
    sponsors: z.array(z.guid()).default([]).describe('uuids of sponsors.'),
    mailTemplate: z.guid().optional().describe('uuid of a custom mail template.'),
    identity: z
      .array(z.string().min(1))
      .default([])
      .describe("Fields that say who a recipient is. Default: the field that the recipient's Primary Value names."),
    occurrence: z
      .array(z.string().min(1))
      .default([])
      .describe('Fields that make a second credential for the same person legitimate, such as Program End Date.'),
    correlation: z
      .enum(['reg_no', 'uid', 'unique_no', 'cert_no', 'membership_id'])
      .optional()
      .describe(
        "A field of the course (by its internal name) whose value comes back in the service's report: the surest way to find a person there.",
      ),
    batch: z
      .strictObject({
        size: z.int().min(1).max(1000).default(100).describe('Recipients in one call.'),
        mode: z
          .enum(['json', 'upload'])
          .default('json')
          .describe(
            'json sends the recipients as data. upload sends them as a workbook, or as a ZIP of a workbook and the images of its rows, built to the sample sheet of the course; for it there are no `options`.',
          ),
        imageColumn: z
          .string()
          .min(1)
          .optional()
          .describe(
            "With mode upload: the column of the file that names each person's image in the ZIP. Default: the column whose name says image, photo, portrait, picture or the like.",
          ),
      })
      .prefault({})
      .describe('How recipients travel.'),
    share: z
      .int()
      .min(1)
      .max(10)
      .default(1)
      .describe('Batches that it may send for each one of another pipeline while both have people waiting.'),
    file: readingSchema.prefault({}),
    source: sourceSchema.optional(),
    writeBack: writeBackSchema,
    brake: brakeSchema.optional(),
    archive: archiveSchema.optional(),
    retentionDays: later.describe('Comes with a later version.'),
  })
  .superRefine(
    (pipeline, context) => {
      if (Boolean(pipeline.course) === Boolean(pipeline.courseNumber))
        context.addIssue({
          code: 'custom',
          path: ['course'],
          message: 'give either course (a uuid) or courseNumber, and not both',
        })
      const { mode, imageColumn } = pipeline.batch ?? {}
      if (mode === 'upload' && Object.keys(pipeline.options ?? {}).length > 0)
        context.addIssue({
          code: 'custom',
          path: ['options'],
          message:
            'cannot travel with batch.mode upload, for which the service documents no flags; remove options, or use mode json',
        })
      if (mode === 'json' && imageColumn !== undefined)
        context.addIssue({
          code: 'custom',
          path: ['batch', 'imageColumn'],
          message: 'says nothing with batch.mode json, which sends no images; use mode upload, or remove it',
        })
    },
    // Without this zod leaves it out as soon as anything else is wrong, and the fault would show up one round later.
    { when: ({ value }) => typeof value === 'object' && value !== null },
  )

export const fileSchema = z.strictObject({
  service: z
    .strictObject({
      environment: z
        .enum(['development', 'production'])
        .describe('Which of the two accounts the keys belong to. The ledger never mixes them.'),
      limits: limitsSchema.prefault({}),
      formerAddresses: z
        .array(z.url())
        .default([])
        .describe(
          'Earlier base addresses of the same account, when the service has moved. Another account needs another database.',
        ),
      certificateHosts: certificateHostsSchema,
    })
    .describe('The credential service.'),
  pipelines: z
    .record(
      z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'is not allowed; use small letters, digits and hyphens'),
      pipelineSchema,
    )
    .describe('Each pipeline by its name (small letters, digits, hyphens): what `issue --pipeline NAME` means.'),
  systems: systemsSchema,
  reconcile: z
    .strictObject({
      every: duration('15s').describe('How often the credential report is read while something is young.'),
      slowest: duration('15m').describe('How slow the reading may get with age.'),
      grace: duration('6h').describe(
        'How long absence from the report means nothing, and how far apart the looks are that prove it. It must be longer than the longest time the service takes to show a request.',
      ),
      refusedGrace: duration('10m').describe(
        'The same, for a batch that the service refused in words: only part of it can have been applied.',
      ),
      looks: z
        .int()
        .min(2)
        .max(20)
        .default(2)
        .describe(
          'How many complete readings, a grace apart, must not show a request to prove that it was never taken. One can fall into the minute in which an index is rebuilt, so 2 is the least.',
        ),
      looksWithoutControl: z
        .int()
        .min(2)
        .max(1_000)
        .default(8)
        .describe(
          'How many of them a person is asked after when nothing that was sent later and accepted shows either: then the report may be behind. 8 looks are two days at the default grace.',
        ),
      looksWithoutBatch: z
        .int()
        .min(2)
        .max(1_000)
        .default(48)
        .describe(
          'The same when others of its batch do show: it is late or refused, not lost, and is never sent again by itself. 48 looks are twelve days at the default grace.',
        ),
      resend: z
        .boolean()
        .default(true)
        .describe(
          'Whether a request that is proven lost may be sent once more by itself, once in its life. With false a person decides about each.',
        ),
      baselineAge: duration('5m').describe(
        'How old the last complete reading of the report may be when something is sent for the first time.',
      ),
      pageSize: z
        .int()
        .min(10)
        .max(5000)
        .default(500)
        .describe('Rows asked for in one page of the report. What comes may be less.'),
    })
    .prefault({})
    .describe('Following requests in the credential report.'),
  invitations: z
    .strictObject({
      deadline: duration('90s').describe(
        'How long one call may take. After that its outcome is unknown and the report is asked.',
      ),
      concurrency: z.int().min(1).max(4).default(4).describe('Calls at the same time.'),
      canary: z
        .boolean()
        .default(true)
        .describe('The first call ever for a course, and the first after trouble, carries one recipient alone.'),
      pause: duration('10m').describe('How long a course rests after two calls in a row whose outcome is unknown.'),
    })
    .prefault({})
    .describe('Sending.'),
  web: webSchema,
  log: z
    .strictObject({
      level: z
        .enum(['debug', 'info', 'warn', 'error', 'silent'])
        .default('info')
        .describe('The least level that is logged.'),
    })
    .prefault({})
    .describe('The log.'),
})

export type FileSettings = z.infer<typeof fileSchema>
export type PipelineSettings = z.infer<typeof pipelineSchema>
