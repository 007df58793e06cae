// The settings of the console: its address, its time zone, and who may sign in.

import { z } from 'zod'
import { despiteOtherFaults } from '#src/platform/despite-other-faults.ts'
import { addressRange } from '#src/platform/http/address-range.ts'
import { isOwnMachine } from '#src/platform/own-machine.ts'
import { isTimeZone } from '#src/platform/time/schedule.ts'

const grantSchema = z
  .strictObject({
    of: z
      .string()
      .min(1)
      .describe('A value of the claim or header that names groups: whoever has it may do what the role may.'),
    role: z.enum(['viewer', 'registrar', 'operator']).describe('What they may do (docs/console.md).'),
    pipelines: z
      .array(z.string().min(1))
      .min(1, 'is empty; name a pipeline')
      .optional()
      .describe('The pipelines that they see. A registrar must have some; an operator always sees all.'),
  })
  .superRefine(({ role, pipelines }, context) => {
    if (role === 'registrar' && pipelines === undefined)
      context.addIssue({ code: 'custom', path: ['pipelines'], message: 'is missing; a registrar sees only its own' })
    if (role === 'operator' && pipelines !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['pipelines'],
        message: 'has no effect, because an operator sees all; remove it, or use another role',
      })
  }, despiteOtherFaults)

const grants = z
  .array(grantSchema)
  .refine((list) => list.length > 0, 'is empty; without a grant nobody may do anything')
  .describe('Who may do what. The first one that fits applies; whoever none fits may do nothing.')

const proxySchema = z
  .strictObject({
    secret: z
      .string()
      // Not `min`, which has a sentence of its own for all settings.
      .refine((text) => text.length >= 24, 'is shorter than 24 characters; make one with `openssl rand -hex 24`')
      .describe('What the proxy sends in X-Credsync-Proxy-Secret, preferably from the environment.'),
    grants,
  })
  .describe(
    'Sign-in by a reverse proxy that knows the person, and names the person in X-Forwarded-User and the groups, separated by commas, in X-Forwarded-Groups. They count only from addresses in `console.trustedProxies`, and only with the secret.',
  )

const plainBaseFault = 'has a query, a fragment or credentials; write only https://host/path'

const oidcSchema = z
  .strictObject({
    issuer: z
      .url({ protocol: /^https?$/, error: 'is not an https:// address' })
      .refine(isPlainBase, plainBaseFault)
      .describe('The issuer of your identity provider, such as https://login.example.edu/realms/staff.'),
    clientId: z.string().min(1).describe('The id under which the console is registered there.'),
    clientSecret: z.string().min(1).describe('Its secret, preferably from the environment.'),
    scopes: z
      .array(z.string().regex(/^[!#-[\]-~]+$/, 'is not a scope'))
      .default(['openid', 'profile', 'email'])
      .describe('The scopes that are asked for; `openid` is always among them.'),
    nameClaim: z
      .string()
      .min(1)
      .default('preferred_username')
      .describe('The claim with the name under which acts are recorded, together with the subject.'),
    groupsClaim: z.string().min(1).default('groups').describe('The claim with the groups of the person.'),
    grants,
  })
  .describe('Sign-in by OpenID Connect. Register `console.url` followed by /sign-in/oidc/callback as redirect URI.')

export const consoleSchema = z
  .strictObject({
    host: z.string().default('127.0.0.1').describe('The address to listen on.'),
    port: z.int().min(0).max(65535).default(8081).describe('The port; 0 takes any free one.'),
    url: z
      .url({ protocol: /^https?$/, error: 'is not an https:// address' })
      .refine(isPlainBase, plainBaseFault)
      .optional()
      .describe(
        'The address under which people open the console, with the path if there is one. Every link is built from it, and requests for another host are refused. Needed unless the console is used on this machine only.',
      ),
    timeZone: z
      .string()
      .refine(isTimeZone, 'is not a time zone that this machine knows; write it like Europe/Berlin')
      .default('UTC')
      .describe('The time zone in which times are shown, such as Europe/Berlin.'),
    trustedProxies: z
      .array(addressRange)
      .default([])
      .describe(
        'Addresses and networks of your reverse proxies. Only for a connection from one of them does `X-Forwarded-For` count, and `console.auth.proxy`.',
      ),
    keepDays: z
      .int()
      .min(1)
      .max(36_500)
      .optional()
      .describe(
        'After how many days the log forgets who signed in, looked at people or downloaded something. Decisions, issued lists and changes of who may sign in stay in it. Default: everything is kept for ever.',
      ),
    auth: z
      .strictObject({
        local: z
          .boolean()
          .default(true)
          .describe('Whether local users may sign in, who are added with `credsync console user add`.'),
        proxy: proxySchema.optional(),
        oidc: oidcSchema.optional(),
      })
      .prefault({})
      .describe('The ways to sign in.'),
  })
  .superRefine(({ host, url, trustedProxies, auth }, context) => {
    const fault = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (url === undefined && typeof host === 'string' && !isOwnMachine(host))
      fault(['url'], `is missing; the console listens on ${host}, so say under which address people open it`)
    if (auth?.proxy && trustedProxies?.length === 0)
      fault(['trustedProxies'], 'is empty; `auth.proxy` needs the addresses of the proxy')
    if (auth?.oidc && url === undefined)
      fault(['url'], 'is missing; `auth.oidc` needs the address to which the identity provider sends people back')
    if (auth?.local === false && !auth.proxy && !auth.oidc)
      fault(['auth'], 'lets nobody sign in; remove `local: false`, or add `proxy` or `oidc`')
  }, despiteOtherFaults)
  .describe(
    'The console: pages for people who work with credsync in a browser (docs/console.md). Off if this is missing.',
  )

export type ConsoleSettings = z.infer<typeof consoleSchema>
export type ConsoleGrants = z.infer<typeof grants>

function isPlainBase(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
}
