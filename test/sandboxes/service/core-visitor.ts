// Calls the sandbox in process, for tests of its faults.

import { type CoreAnswer, openSandboxCore, type SandboxCore } from '#sandboxes/service/open-sandbox-core.ts'
import type { SandboxSettings } from '#sandboxes/service/settings.ts'
import { type SteppedClock, steppedClock } from '#test/support/clock.ts'
import { paths, person } from './visitor.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows and envelopes of every endpoint, and the tests say what is in them
type Json = any

export interface CoreVisitor {
  core: SandboxCore
  clock: SteppedClock
  /** POST with the current token; returns the raw answer. */
  post(path: string, body: unknown): Promise<CoreAnswer>
  /** Returns the HTTP status, or 0 if the answer was lost. */
  invite(...emails: string[]): Promise<number>
  /** Rows of the report, oldest first, up to 1,000. */
  rows(search?: object, fields?: object): Promise<Json[]>
  /** The envelope of a report page. */
  page(fields: object): Promise<Json>
  signIn(): Promise<{ accessToken: string; refreshToken: string }>
  use(token: string): void
  /** E-mail addresses of the requests that the sandbox really holds. */
  held(): string[]
}

/** Signs in to a sandbox, by default without limits or lag, on a clock that only the test moves. */
export async function visitCore(
  settings: Partial<SandboxSettings> = {},
  clock: SteppedClock = steppedClock(),
): Promise<CoreVisitor> {
  const limits = { general: 1e9, auth: 1e9 }
  const tokenLife = { accessMs: 1e12, refreshMs: 1e12 }
  const core = openSandboxCore({ limits, tokenLife, reportLagMs: 0, ...settings }, clock)
  const course = core.courses[0]
  let held = ''
  const post: CoreVisitor['post'] = (path, body) =>
    core.call({
      method: 'POST',
      path,
      headers: { authorization: `Bearer ${held}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const visitor: CoreVisitor = {
    core,
    clock,
    post,
    async invite(...emails) {
      const [course_uuid, template_uuid] = [course?.uuid, course?.templateUuid]
      const student = emails.map((email) => person(email))
      const fields = { course_uuid, template_uuid, badge_template_uuid: course?.badgeTemplateUuid, student }
      const answer = await post(paths.invite, fields)
      return answer.lost ? 0 : answer.status
    },
    async rows(search = {}, fields = {}) {
      const body = { search: JSON.stringify(search), recordsPerPage: 1_000, sortOrder: 'asc', ...fields }
      return (await visitor.page(body)).payload.data
    },
    page: async (fields) => json(await post(paths.report, fields)),
    async signIn() {
      const { payload } = json(await post(paths.token, { key: core.key, secret: core.secret }))
      held = payload.accessToken
      return payload
    },
    use: (token) => {
      held = token
    },
    held: () => core.requests().map(({ student }) => String(student.Email)),
  }
  await visitor.signIn()
  return visitor
}

export function json(answer: CoreAnswer): Json {
  if (answer.lost) throw new Error('The answer was lost.')
  return JSON.parse(answer.body)
}

/** `p0@example.org`, `p1@example.org` and so on. */
export function people(count: number, name = 'p'): string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index}@example.org`)
}
