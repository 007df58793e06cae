// Defines every setting of the configuration file once: its type, default and description. The JSON Schema for editors
// and the reference page are generated from here (build/write-generated-files.ts), and a test fails if they are stale.

import { z } from 'zod'
import { archiveSchema } from '#src/extensions/certificates/settings/certificate-settings.ts'
import { consoleSchema } from '#src/extensions/console/settings/console-settings.ts'
import { systemsSchema, writeBackSchema } from '#src/extensions/lms/settings/system-and-target-settings.ts'
import { expectSchema } from '#src/extensions/notices/settings/expect-settings.ts'
import { heartbeatSchema, notifySchema } from '#src/extensions/notices/settings/notify-settings.ts'
import { retentionDays } from '#src/extensions/privacy/settings/retention-setting.ts'
import { despiteOtherFaults } from '#src/platform/despite-other-faults.ts'
import { addressRange } from '#src/platform/http/address-range.ts'
import { columnsSchema } from './column-settings.ts'
import { databaseSchema } from './database-settings.ts'
import { duration, schedule } from './duration-setting.ts'
import { filesSchema, readingSchema } from './file-reading-settings.ts'
import { invitationsSchema } from './invitations-settings.ts'
import { brakeSchema, sourceSchema } from './source-settings.ts'

/** When issued credentials are checked for revocations. */
const watchSettings = {
  watchWithin: duration('30d').describe(
    'Every issued credential is checked at least once in this time, for revocations made in the portal. If the report can be sorted by the date of revocation, all of them are checked every night.',
  ),
  watchAt: schedule('30 2 * * *').describe(
    'When the next part of the issued credentials is checked: by a cron line (minute, hour, day, month, weekday; UTC), or at an interval.',
  ),
}

const webSchema = z
  .strictObject({
    host: z
      .string()
      .default('127.0.0.1')
      .describe(
        'The address to listen on. Health pages and metrics require no login: they show pipelines and counts, but no personal data.',
      ),
    port: z.int().min(0).max(65535).default(8080).describe('The port; 0 takes any free one.'),
    trustedProxies: z
      .array(addressRange)
      .default([])
      .describe(
        'Addresses and networks of your reverse proxies. For a connection from one of them, the client is the address in `X-Forwarded-For`, read from the right, up to the first address that is not one of these. The header is ignored if it comes from any other sender.',
      ),
  })
  .prefault({})
  .describe(
    'The HTTP server of the worker: /health/live, /health/ready and /metrics, and for learning systems /events/NAME and /xapi/NAME.',
  )

/** A value in `where`, which says which rows of a file are meant. */
const value = z
  .union([z.string(), z.number(), z.boolean()], { error: 'is not a string, a number, true or false' })
  .transform(String)

const whereSchema = z
  .record(
    z.string().min(1),
    z.array(value).refine((values) => values.length > 0, 'is empty; list the values that count'),
  )
  .default({})
  .describe(
    'Column of a file → the values that count: `{ Status: [Pass, Merit] }`. Rows with another value in one of these columns are skipped and counted as not meant. Letter case and blanks around a value make no difference; `[any]` is for a column whose values make none.',
  )

const limitsSchema = z
  .strictObject({
    general: z.int().min(1).max(60).default(60).describe('Requests per second, per key and endpoint.'),
    auth: z.int().min(1).max(3).default(3).describe('Requests per second to the token endpoints, per source address.'),
    margin: z
      .string()
      .regex(/^([1-9]\d{0,2}|1000)ms$/, 'is not a margin; write it like 20ms, at most 1000ms')
      .default('20ms')
      .describe(
        'The least that is added to each second, because requests that are sent evenly may arrive in bursts. If answers show that the latency to the service varies, up to 80 ms are added automatically, and more for some minutes after a response with status 429.',
      ),
  })
  .describe(
    'The limits of the service. Lower them if other programs use the same key. Processes that use one Redis share the limits; if their settings differ, the lowest applies.',
  )

const logSchema = z
  .strictObject({
    level: z
      .enum(['debug', 'info', 'warn', 'error', 'silent'])
      .default('info')
      .describe('The lowest level that is logged.'),
  })
  .prefault({})
  .describe('The log.')

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

export const pipelineSchema = z
  .strictObject({
    course: z.guid().optional().describe('The course, by its uuid. Give either this or courseNumber.'),
    courseNumber: z.string().min(1).optional().describe('The course, by its short number, such as WELD-1.'),
    template: z.guid().describe('uuid of the template of the credential.'),
    badgeTemplate: z.guid().describe('uuid of the template of the badge.'),
    columns: columnsSchema,
    where: whereSchema,
    options: z
      .strictObject({
        sendEmail: z.boolean().optional().describe('The service e-mails the certificate to the recipient.'),
        attachCertificate: z.boolean().optional().describe('The certificate is attached to that e-mail.'),
        publicLink: z
          .boolean()
          .optional()
          .describe(
            'The service creates a public link to the certificate. If this is not true, there is no link, and `link` in writeBack stays empty.',
          ),
        hideInWallet: z.boolean().optional().describe('The certificate is hidden in the wallet.'),
        issueToOrganisation: z.boolean().optional().describe('The certificate is issued to the organization.'),
      })
      .default({})
      .describe('Flags of the invitation. Omitted flags are not sent, and the service decides.'),
    signatures: z.array(signature).default([]).describe('uuids of signatures, or `{ uuid, required }`.'),
    sponsors: z.array(z.guid()).default([]).describe('uuids of sponsors.'),
    mailTemplate: z.guid().optional().describe('uuid of a custom mail template.'),
    identity: z
      .array(z.string().min(1))
      .default([])
      .describe("Fields that identify a recipient. Default: the field that the recipient's Primary Value names."),
    occurrence: z
      .array(z.string().min(1))
      .default([])
      .describe('Fields that make a second credential for the same person legitimate, such as Program End Date.'),
    correlation: z
      .enum(['reg_no', 'uid', 'unique_no', 'cert_no', 'membership_id'])
      .optional()
      .describe(
        "A field of the course (by its internal name) whose value the service's report shows: the most reliable way to find a person there.",
      ),
    batch: z
      .strictObject({
        size: z.int().min(1).max(1000).default(100).describe('Recipients in one call.'),
        mode: z
          .enum(['json', 'upload'])
          .default('json')
          .describe(
            'json sends the recipients as data. upload sends them as a workbook, or as a ZIP of a workbook and the images of its rows, in the layout of the sample sheet of the course; `options` cannot be used with it.',
          ),
        imageColumn: z
          .string()
          .min(1)
          .optional()
          .describe(
            "With mode upload: the column of the file that names each person's image in the ZIP. Default: the column with a name such as image, photo, portrait or picture.",
          ),
      })
      .prefault({})
      .describe('How recipients are sent.'),
    share: z
      .int()
      .min(1)
      .max(10)
      .default(1)
      .describe(
        'How many batches this pipeline may send for each batch of another pipeline while both have rows to send.',
      ),
    file: readingSchema.prefault({}),
    source: sourceSchema.optional(),
    writeBack: writeBackSchema,
    brake: brakeSchema.optional(),
    archive: archiveSchema.optional(),
    expect: expectSchema.optional(),
    retentionDays,
  })
  .superRefine((pipeline, context) => {
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
          'cannot be sent with batch.mode upload, for which the service documents no flags; remove options, or use mode json',
      })
    if (Object.keys(pipeline.where ?? {}).length > 0 && pipeline.source && 'system' in pipeline.source)
      context.addIssue({
        code: 'custom',
        path: ['where'],
        message: 'is for files; a learning system (source.system) reports only people who completed',
      })
    if (mode === 'json' && imageColumn !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['batch', 'imageColumn'],
        message: 'has no effect with batch.mode json, which sends no images; use mode upload, or remove it',
      })
  }, despiteOtherFaults)

export const fileSchema = z.strictObject({
  service: z
    .strictObject({
      environment: z
        .enum(['development', 'production'])
        .describe('The account to which the keys belong. The ledger never mixes them.'),
      limits: limitsSchema.prefault({}),
      formerAddresses: z
        .array(z.url())
        .default([])
        .describe(
          'Earlier base addresses of the same account, if the service has moved. Another account needs another database.',
        ),
    })
    .describe('The credential service.'),
  pipelines: z
    .record(
      z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'is not allowed; use lower-case letters, digits and hyphens'),
      pipelineSchema,
    )
    .describe(
      'The pipelines by name (lower-case letters, digits, hyphens). `issue --pipeline NAME` refers to these names.',
    ),
  systems: systemsSchema,
  reconcile: z
    .strictObject({
      every: duration('15s').describe('How often the credential report is read while there are recent requests.'),
      slowest: duration('15m').describe('The longest interval between scans, reached as requests get older.'),
      grace: duration('6h').describe(
        'How long absence from the report proves nothing, and the interval between the scans that prove absence. It must be longer than the longest time that the service takes to show a request.',
      ),
      refusedGrace: duration('10m').describe(
        'Replaces `reconcile.grace` for a batch that the service refused with a message, at most part of which can have been applied.',
      ),
      looks: z
        .int()
        .min(2)
        .max(20)
        .default(2)
        .describe(
          'How many complete scans, each `reconcile.grace` after the one before, must not show a request to prove that it was never accepted. The minimum is 2, because a single scan may coincide with the rebuilding of an index.',
        ),
      looksWithoutControl: z
        .int()
        .min(2)
        .max(1_000)
        .default(8)
        .describe(
          'After how many complete scans without a request it is held for an operator if the report does not show any later accepted request either, because the report may be behind. 8 scans are two days at the default grace period.',
        ),
      looksWithoutBatch: z
        .int()
        .min(2)
        .max(1_000)
        .default(48)
        .describe(
          'Replaces `reconcile.looksWithoutControl` if the report shows other requests of the same batch: the missing request is then late or refused, not lost, and is never sent again automatically. 48 scans are twelve days at the default grace period.',
        ),
      resend: z
        .boolean()
        .default(true)
        .describe(
          'If true, a request that is proven lost is sent again automatically, as often as `invitations.resends` allows. If false, an operator decides about each such request.',
        ),
      baselineAge: duration('5m').describe(
        'How old the last complete scan of the report may be when something is sent for the first time.',
      ),
      pageSize: z
        .int()
        .min(10)
        .max(5000)
        .default(500)
        .describe('Rows requested per page of the report. The service may return fewer.'),
      ...watchSettings,
    })
    .prefault({})
    .describe('How requests are followed in the credential report.'),
  invitations: invitationsSchema,
  database: databaseSchema,
  files: filesSchema,
  web: webSchema,
  console: consoleSchema.optional(),
  notify: notifySchema.optional(),
  heartbeat: heartbeatSchema.optional(),
  log: logSchema,
})

export type FileSettings = z.infer<typeof fileSchema>
export type PipelineSettings = z.infer<typeof pipelineSchema>
