// Defines the configuration file: each setting once, here or in the file of its group, with its type, default and
// description. The JSON Schema for editors and the reference page are generated from it
// (build/write-generated-files.ts), and a test fails if they are stale.

import { z } from 'zod'
import { consoleSchema } from '#src/extensions/console/settings/console-settings.ts'
import { systemsSchema } from '#src/extensions/lms/settings/system-and-target-settings.ts'
import { heartbeatSchema, notifySchema } from '#src/extensions/notices/settings/notify-settings.ts'
import { addressRange } from '#src/platform/http/address-range.ts'
import { databaseSchema } from './database-settings.ts'
import { filesSchema } from './file-reading-settings.ts'
import { invitationsSchema } from './invitations-settings.ts'
import { pipelineSchema } from './pipeline-settings.ts'
import { reconcileSchema } from './reconcile-settings.ts'

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
  reconcile: reconcileSchema,
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
