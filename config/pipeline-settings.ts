// The settings of a pipeline: a source, a course, which column fills which field, and where outcomes go.

import { z } from 'zod'
import { archiveSchema } from '#src/extensions/certificates/settings/certificate-settings.ts'
import { writeBackSchema } from '#src/extensions/lms/settings/system-and-target-settings.ts'
import { expectSchema } from '#src/extensions/notices/settings/expect-settings.ts'
import { retentionDays } from '#src/extensions/privacy/settings/retention-setting.ts'
import { despiteOtherFaults } from '#src/platform/despite-other-faults.ts'
import { columnsSchema } from './column-settings.ts'
import { readingSchema } from './file-reading-settings.ts'
import { brakeSchema, sourceSchema } from './source-settings.ts'

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

export type PipelineSettings = z.infer<typeof pipelineSchema>
