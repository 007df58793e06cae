// The system kind for a system that sends xAPI statements to /xapi/NAME. Its endpoint stores statements in the
// database.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isLongSecret, secretTooShort } from '#src/extensions/lms/webhooks/event-auth-settings.ts'
import { jsonPointer } from '#src/extensions/lms/webhooks/json-pointer-schema.ts'
import { courseTypes } from '#src/extensions/lms/xapi/completion.ts'
import { answerXapi, refuseByHeaders, type XapiAnswer, type XapiParts } from '#src/extensions/lms/xapi/receiver.ts'
import { answerVersion, versionHeader } from '#src/extensions/lms/xapi/statement.ts'
import { isKnownSecret } from '#src/platform/same-secret.ts'
import { endpointFinding, inboundSettings } from './endpoint-check.ts'
import type { EndpointAnswer, EndpointHead, EndpointParts, InboundEndpoint, InboundSystem } from './inbound-system.ts'
import { defineSystem } from './system-kind.ts'
import { readStatement } from './xapi-statement.ts'

const settings = z
  .strictObject({
    type: z.literal('xapi').describe('A system that sends xAPI statements to /xapi/NAME.'),
    user: z.string().min(1).describe('The user name with which it signs in (Basic authentication).'),
    password: z
      .string()
      .min(1)
      .refine(isLongSecret, secretTooShort)
      .describe('Its password, at least 24 characters, preferably from the environment.'),
    activityTypes: z
      .array(z.url())
      .min(1)
      .default(courseTypes)
      .describe(
        'The activity types whose completion counts. A completed page has the same verb as a completed course.',
      ),
    course: jsonPointer
      .optional()
      .describe(
        'The location of the course in a statement, as a JSON Pointer. Default: the external id that Moodle sends, otherwise the id of the activity.',
      ),
    homePage: z
      .url()
      .optional()
      .describe(
        'The system whose accounts count, as statements name it in `actor.account.homePage`. A learner is then identified by the account name alone; if omitted, by both system and account name, and accounts of any system count.',
      ),
    ...inboundSettings,
  })
  .describe('A system that sends xAPI statements.')

type XapiSettings = z.infer<typeof settings>

export const xapiSystem = defineSystem<typeof settings, never>({
  type: 'xapi',
  settings,
  columns: () => ['id', 'email', 'course', 'completed'],
  receive,
  foreignIdsFault: ({ homePage }, name) =>
    homePage === undefined
      ? `names learners by their accounts, and ${name} does not say whose accounts count; set its \`homePage\``
      : null,
  check(context, { homePage, confirm }) {
    const accountNotice =
      'learners are identified by the address of their system and their account name; with `homePage` set, by the account name alone'
    const isOpen = homePage === undefined && confirm === undefined
    return [endpointFinding(context, { path: pathOf(context.system), confirm }, isOpen ? [accountNotice] : [])]
  },
})

const pathOf = (name: string) => `/xapi/${name}`

function receive(name: string, systemSettings: XapiSettings): InboundSystem {
  const { activityTypes, course, homePage } = systemSettings
  return {
    name,
    confirm: systemSettings.confirm ?? null,
    retentionDays: systemSettings.retentionDays,
    mapping: { activityTypes, course, homePage },
    read: (event) => readStatement(systemSettings, event),
    open: (parts) => openStatements(name, systemSettings, parts),
  }
}

function openStatements(
  name: string,
  { user, password, maxBytes }: XapiSettings,
  { inboundEvents, newId, clock, onStored }: EndpointParts,
): InboundEndpoint {
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const parts: XapiParts = {
    authenticate: (authorization) => isKnownSecret(authorization ?? '', [expected]),
    async store(statements) {
      const ids = new Map(statements.map(({ id }) => [keyOf(id), id]))
      const events = statements.map(({ id, voids, ...each }) => ({
        ...each,
        key: keyOf(id),
        voids: voids === null ? null : keyOf(voids),
      }))
      const conflicts = await inboundEvents.keepNamed(name, events)
      if (conflicts.length === 0) onStored()
      return conflicts.map((key) => ids.get(key) ?? '')
    },
    newId,
    clock,
  }
  return {
    path: `${pathOf(name)}/*`,
    methods: 'all',
    maxBytes,
    checkHead(head) {
      const answer = refuseByHeaders(xapiHead(name, head), parts)
      if (answer !== null) return { kind: 'refused', answer: withFailedLogin(answer) }
      return { kind: xapiHead(name, head).path === '/about' ? 'open' : 'proven' }
    },
    handle: (request) => answerXapi({ ...xapiHead(name, request), body: request.body }, parts),
    failureHeaders: ({ headers }) => ({ 'X-Experience-API-Version': answerVersion(headers[versionHeader]) }),
  }
}

const withFailedLogin = (answer: XapiAnswer): EndpointAnswer =>
  answer.status === 401 ? { ...answer, failedLogin: 'credentials-wrong' } : answer

function xapiHead(name: string, { url, method, headers }: EndpointHead) {
  const { pathname, searchParams: query } = new URL(url, 'http://here')
  return { method, path: pathname.slice(pathOf(name).length), query, headers }
}

const keyOf = (id: string) => createHash('sha256').update(`statement ${id}`).digest('hex')
