// Calls the sandbox over HTTP for these tests: gets a token and makes the most common calls.

import { onTestFinished } from 'vitest'
import { openSandbox, type Sandbox, type SandboxCourse } from '#sandboxes/service/open-sandbox.ts'
import type { SandboxSettings } from '#sandboxes/service/settings.ts'
import { type SteppedClock, steppedClock } from '#test/support/clock.ts'

export const paths = {
  token: '/api/public/identity/v1/entityaccess/token',
  refresh: '/api/public/identity/v1/entityaccess/refresh/token',
  list: '/api/institute/v1/course/list',
  detail: '/api/institute/v3/course/detail',
  fieldList: '/api/institute/v1/course/recipients/fieldList',
  invite: '/api/certification/v1/quickIssuance/recipients/data/upload',
  report: '/api/certification/v1/certificate/student/report',
}

export interface Answer {
  http: number
  status: number
  message: string
  // biome-ignore lint/suspicious/noExplicitAny: every endpoint has its own payload, and the tests say what is in it
  payload: any
  // biome-ignore lint/suspicious/noExplicitAny: either a pager or an empty object
  pager: any
}

export interface Visitor {
  sandbox: Sandbox
  clock: SteppedClock
  /** The first course, which can issue. */
  course: SandboxCourse
  /** POST with the current token; `token` overrides it. */
  post(path: string, body: unknown, token?: string): Promise<Answer>
  get(path: string): Promise<Answer>
  /** Takes a new token pair and uses its access token from now on. */
  signIn(): Promise<{ accessToken: string; refreshToken: string }>
  invite(students: unknown[], fields?: Record<string, unknown>): Promise<Answer>
  report(search?: Record<string, unknown>, fields?: Record<string, unknown>): Promise<Answer>
}

/** Opens a sandbox on a stepped clock and signs in. The sandbox closes when the test ends. */
export async function visitSandbox(settings: Partial<SandboxSettings> = {}): Promise<Visitor> {
  const clock = steppedClock()
  const sandbox = await openSandbox(settings, clock)
  onTestFinished(() => sandbox.close())
  const course = sandbox.courses[0]
  if (!course) throw new Error('The sandbox has no course.')
  let held = ''

  const call = async (method: string, path: string, body?: unknown, token = held): Promise<Answer> => {
    const headers: Record<string, string> = { authorization: `Bearer ${token}` }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await fetch(sandbox.url + path, { method, headers, ...(body === undefined ? {} : { body: text }) })
    return { ...((await answer.json()) as Omit<Answer, 'http'>), http: answer.status }
  }
  const visitor: Visitor = {
    sandbox,
    clock,
    course,
    post: (path, body, token) => call('POST', path, body, token),
    get: (path) => call('GET', path),
    async signIn() {
      const { payload } = await call('POST', paths.token, { key: sandbox.key, secret: sandbox.secret })
      held = payload.accessToken
      return payload
    },
    invite: (student, fields = {}) =>
      call('POST', paths.invite, {
        course_uuid: course.uuid,
        template_uuid: course.templateUuid,
        badge_template_uuid: course.badgeTemplateUuid,
        student,
        ...fields,
      }),
    report: (search, fields = {}) =>
      call('POST', paths.report, { ...(search ? { search: JSON.stringify(search) } : {}), ...fields }),
  }
  await visitor.signIn()
  return visitor
}

/** A valid recipient record. */
export function person(email: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { Email: email, 'First Name': 'Ada', 'Last Name': 'Lovelace', 'Primary Value': 'Email', ...more }
}
