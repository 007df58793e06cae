// Defines every setting of the configuration file once: its type, default and description. The JSON Schema for editors
// and the reference page are generated from here (config/write-generated-files.ts), and a test fails if they are stale.

import { z } from 'zod'
import { archiveSchema, certificateHostsSchema } from '#src/extensions/certificates/settings/certificate-settings.ts'
import { consoleSchema } from '#src/extensions/console/settings/console-settings.ts'
import { systemsSchema } from '#src/extensions/lms/settings/system-settings.ts'
import { writeBackSchema } from '#src/extensions/lms/settings/write-back-settings.ts'
import { expectSchema } from '#src/extensions/notices/settings/expect-settings.ts'
import {
  heartbeatSchema,
  notifySchema,
  pipelineHeartbeatSchema,
} from '#src/extensions/notices/settings/notify-settings.ts'
import { retentionDays } from '#src/extensions/privacy/settings/retention-setting.ts'
import { besideOtherFaults } from '#src/platform/beside-other-faults.ts'
import { brakeSchema } from './brake-schema.ts'
import { columnsSchema } from './column-settings.ts'
import { databaseSchema } from './database-settings.ts'
import { duration } from './duration-setting.ts'
import { filesSchema, readingSchema } from './file-reading-settings.ts'
import { invitationsSchema } from './invitations-settings.ts'
import { limitsSchema } from './limits-settings.ts'
import { logSchema } from './log-settings.ts'
import { sourceSchema } from './source-settings.ts'
import { watchSettings } from './watch-settings.ts'
import { webSchema } from './web-settings.ts'
import { whereSchema } from './where-settings.ts'

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
    heartbeat: pipelineHeartbeatSchema.optional(),
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
  }, besideOtherFaults)

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
      certificateHosts: certificateHostsSchema,
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
