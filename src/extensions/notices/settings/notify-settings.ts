// The settings of notices: the mail server, who is notified of what and through which channel, and the heartbeat that a watchdog
// elsewhere expects.

import { z } from 'zod'
import { durationBetween } from '#config/duration-setting.ts'
import { despiteOtherFaults } from '#src/platform/despite-other-faults.ts'
import { isStandardSecret, notStandardSecret } from '#src/platform/sign-standard-webhook.ts'

/** What a recipient can be notified of. */
export const noticeKinds = [
  'summary',
  'person',
  'refused',
  'missing',
  'away',
  'keys',
  'behind',
  'stuck',
  'erasure',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/**
 * A mail address without a display name. Control characters, spaces and commas could change the header or its meaning.
 */
const address = z
  .string()
  .regex(
    /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u,
    'is not an e-mail address; write only the address, such as registry@example.edu',
  )

const secretUrl = () => z.url({ protocol: /^https?$/, error: 'is not an https:// address' })

const smtpSchema = z
  .strictObject({
    host: z
      .string()
      .regex(/^[A-Za-z0-9.:_-]+$/, 'is not a host; write only its name, such as smtp.example.edu')
      .describe('The mail server.'),
    port: z.int().min(1).max(65535).default(587).describe('Its port: usually 587 for `starttls`, 465 for `tls`.'),
    from: address.describe('The address that messages come from.'),
    tls: z
      .enum(['starttls', 'tls', 'none'])
      .default('starttls')
      .describe(
        'How the connection is encrypted. With `starttls`, nothing is sent if the server does not offer it. `none` is for a relay on this machine, or on hosts in `CREDSYNC_ALLOW_PLAIN`.',
      ),
    auth: z
      .enum(['none', 'password', 'oauth2'])
      .default('none')
      .describe('How credsync logs in: not at all (a relay that knows this machine), with a password, or with OAuth2.'),
    user: z.string().min(1).optional().describe('The account, for `password` and `oauth2`.'),
    password: z.string().min(1).optional().describe('For `password`; preferably from the environment.'),
    clientId: z.string().min(1).optional().describe('For `oauth2`: the id of the registered application.'),
    clientSecret: z.string().min(1).optional().describe('For `oauth2`: its secret, preferably from the environment.'),
    refreshToken: z
      .string()
      .min(1)
      .optional()
      .describe('For `oauth2`: the refresh token of the account, preferably from the environment.'),
    tokenUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('For `oauth2`: where access tokens are issued, such as https://login.example.edu/oauth2/token.'),
  })
  .superRefine((smtp, context) => {
    for (const name of neededFor.get(smtp.auth) ?? [])
      if (smtp[name as keyof typeof smtp] === undefined)
        context.addIssue({ code: 'custom', path: [name], message: `is missing; \`auth: ${smtp.auth}\` needs it` })
    // Somebody who gives a password and forgets `auth` would not be logged in, and would not learn why nothing is
    // accepted.
    for (const name of loginSettings)
      if (smtp.auth === 'none' && smtp[name] !== undefined)
        context.addIssue({
          code: 'custom',
          path: [name],
          message: 'has no effect without `auth`; set `auth: password` or `auth: oauth2`, or remove it',
        })
  }, despiteOtherFaults)

const loginSettings = ['password', 'clientSecret', 'refreshToken'] as const
const neededFor: ReadonlyMap<string, readonly string[]> = new Map([
  ['password', ['user', 'password']],
  ['oauth2', ['user', 'clientId', 'clientSecret', 'refreshToken', 'tokenUrl']],
])

/** How a recipient can be reached. */
export const channelKinds = ['email', 'slack', 'teams', 'webhook'] as const

const recipientSchema = z
  .strictObject({
    email: z.array(address).min(1, 'is empty; name an address').optional().describe('E-mail to these addresses.'),
    slack: secretUrl().optional().describe('The address of a Slack incoming webhook. It is a secret.'),
    teams: secretUrl()
      .optional()
      .describe('The address of a Teams workflow (“when a Teams webhook request is received”). It is a secret.'),
    webhook: secretUrl()
      .optional()
      .describe('The address of a system of your own, to which signed messages are posted.'),
    secret: z
      .string()
      .refine(isStandardSecret, notStandardSecret)
      .optional()
      .describe('For `webhook`: the secret that signs the messages (whsec_ and at least 24 characters).'),
    pipelines: z
      .array(z.string().min(1))
      .optional()
      .describe('Only notices about these pipelines, and those that concern none in particular. Default: all.'),
    on: z
      .array(z.enum([...noticeKinds, 'all']))
      .min(1, 'is empty; name what this recipient is notified of, or `all`')
      .default(['all'])
      .describe('What this recipient is notified of; docs/alerts.md describes each kind.'),
  })
  .superRefine((recipient, context) => {
    const given = channelKinds.filter((channel) => recipient[channel] !== undefined)
    if (given.length !== 1)
      context.addIssue({
        code: 'custom',
        path: [],
        message: `has ${given.length === 0 ? 'no address' : given.join(' and ')}; give exactly one of ${channelKinds.join(', ')}`,
      })
    if ((recipient.webhook === undefined) !== (recipient.secret === undefined))
      context.addIssue({
        code: 'custom',
        path: ['secret'],
        message: recipient.secret ? 'has no effect without `webhook`; remove it' : 'is missing; `webhook` needs it',
      })
  }, despiteOtherFaults)
  .describe('One recipient, by any name: exactly one of `email`, `slack`, `teams` and `webhook`.')

export const notifySchema = z
  .strictObject({
    smtp: smtpSchema.optional().describe('The mail server that recipients with `email` need.'),
    to: z
      .record(
        z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'is not allowed; use lower-case letters, digits and hyphens'),
        recipientSchema,
      )
      .describe('The recipients by name.'),
    group: durationBetween('1ms', '7d')
      .default('15m')
      .describe(
        'A message goes out half a minute after something began if the recipient got none for this long; otherwise what is new is collected until then, in one message. At most 7d.',
      ),
    remind: durationBetween('5m', '365d')
      .default('1d')
      .describe('How often a recipient is reminded of what still lasts; 5m to 365d.'),
    behind: durationBetween('1m', '365d')
      .default('1d')
      .describe('How old the oldest open row may become before that is a notice of kind `behind`; 1m to 365d.'),
    fileNames: z
      .boolean()
      .default(true)
      .describe('Whether messages may name files. Set it to false if the names of files contain names of people.'),
    console: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('The address of a page to which messages link, such as a dashboard. Without it, they have no link.'),
  })
  .describe('Who is notified when somebody must act. Without it, nobody is.')

export const heartbeatSchema = z
  .strictObject({
    url: secretUrl().describe('The address that is requested (GET). It is a secret.'),
    every: durationBetween('15s', '1d').default('5m').describe('How often it is requested; 15s to 1d.'),
  })
  .describe(
    'An address of a watchdog elsewhere, which raises the alarm when it is no longer requested. It is requested only while the worker is ready and its loops make progress.',
  )

export type NotifySettings = z.infer<typeof notifySchema>
export type SmtpSettings = z.infer<typeof smtpSchema>
export type RecipientSettings = z.infer<typeof recipientSchema>
export type HeartbeatSettings = z.infer<typeof heartbeatSchema>
