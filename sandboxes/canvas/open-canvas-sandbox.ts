// A Canvas sandbox for tests and the demo: a real HTTP server on loopback with the part of the API that credsync uses.
// It answers as Canvas's source does, but has never been compared with a real Canvas. It keeps everything in memory.

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Clock } from '#sandboxes/clock.ts'
import { answerRequest, type SiteColumn } from './answer-request.ts'
import { CanvasCourse, type SiteLearner } from './site.ts'

export interface CanvasSandbox {
  url: string
  token: string
  course: CanvasCourse
  columns: SiteColumn[]
  /** Enrolls a student who has met no requirement yet. */
  enroll(firstname: string, more?: Partial<SiteLearner>): SiteLearner
  complete(learner: SiteLearner, at: string): void
  /** Concludes the course, and thereby every current enrollment. */
  conclude(): void
  /** Sends the Live Event course_completed to this address, signed by nothing but the bearer secret. */
  sendEvent(learner: SiteLearner, to: { url: string; secret: string }): Promise<number>
  /** Requests received, such as `GET courses/7/users`, in order. */
  requests: string[]
  /** Refuses requests whose path contains `part` with this status. */
  refuse(part: string, status: 401 | 403 | 404 | 500): void
  /** Refuses the next `times` requests with a rate-limit error, which may name a time to wait. */
  throttle(times: number, retryAfterS?: number): void
  /** Lets the vendor's gateway give up on pages of more than `items` items. */
  slowDown(items: number): void
  close(): Promise<void>
}

/** @param options.pageSize maximum number of items on a page; the API allows 100 */
export async function openCanvasSandbox(
  { pageSize = 100, token = '7~canvas-token-of-the-account' }: { pageSize?: number; token?: string },
  clock: Clock,
): Promise<CanvasSandbox> {
  const course = new CanvasCourse()
  const columns: SiteColumn[] = []
  const requests: string[] = []
  const refused = new Map<string, number>()
  let throttled = 0
  let slowFrom = Number.POSITIVE_INFINITY
  let throttledHeaders: Record<string, string> = {}

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://canvas')
    const path = pathname.replace('/api/v1/', '')
    const sent = await text(request)
    requests.push(`${request.method} ${path}`)
    const end = (status: number, body: string, headers: Record<string, string> = {}) =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    const refusal = refusalOf(request)
    if (refusal) return end(refusal.status, refusal.body, refusal.headers)
    if (throttled > 0) {
      throttled--
      return end(403, '403 Forbidden (Rate Limit Exceeded)\n', { 'content-type': 'text/plain', ...throttledHeaders })
    }
    const status = [...refused].find(([part]) => path.includes(part))?.[1]
    if (status) return end(status, '{"errors":[{"message":"user not authorized to perform that action"}]}')
    // Canvas reads a suffix after a dot as a format.
    const answer = path.includes('.')
      ? { status: 404, body: { errors: [] } }
      : answerRequest(course, columns, {
          ...{ method: request.method ?? '', path, query: searchParams, now: clock.now() },
          body: sent ? JSON.parse(sent) : {},
        })
    const wantsText = /canvas-string-ids/.test(request.headers.accept ?? '') && !answer.hasNumericIds
    const json = (value: unknown) =>
      JSON.stringify(value).replaceAll(/"(id|user_id)":"?(\d+)"?/g, wantsText ? '"$1":"$2"' : '"$1":$2')
    if (!answer.list) return end(answer.status ?? 200, json(answer.body))
    const size = Math.min(Number(searchParams.get('per_page') ?? 10), pageSize)
    if (size > slowFrom) return end(504, '<html>Gateway Timeout</html>')
    const page = Number(searchParams.get('page') ?? 1)
    const link = (number: number, rel: string) => {
      searchParams.set('page', String(number))
      return `<${site.url}${pathname}?${searchParams}>; rel="${rel}"`
    }
    const links = [link(page, 'current'), ...(answer.list.length > page * size ? [link(page + 1, 'next')] : [])]
    return end(200, json(answer.list.slice((page - 1) * size, page * size)), { link: links.join(',') })
  })

  function refusalOf({
    headers,
  }: IncomingMessage): { status: number; body: string; headers?: Record<string, string> } | null {
    // As the hosts of the vendor do, before Canvas itself is reached.
    if (!headers['user-agent'])
      return { status: 403, body: '{"error":"Forbidden","message":"A valid user agent header is required."}' }
    if (headers.authorization === `Bearer ${token}`) return null
    return {
      ...{ status: 401, body: '{"errors":[{"message":"Invalid access token."}]}' },
      headers: { 'www-authenticate': 'Bearer realm="canvas-lms"' },
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const site: CanvasSandbox = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ token, course, columns, requests },
    enroll(firstname, more) {
      const learner: SiteLearner = {
        id: String(1_000 + course.learners.size),
        name: `${firstname} Lovelace`,
        sortable_name: `Lovelace, ${firstname}`,
        email: `${firstname.toLowerCase()}@example.org`,
        ...{ sis_user_id: null, login_id: null, enrollment: 'active', section: 1, isTestStudent: false },
        progressions: new Map(),
        ...more,
      }
      course.learners.set(learner.id, learner)
      return learner
    },
    complete: (learner, at) => course.complete(learner, new Date(at)),
    conclude() {
      course.workflow_state = 'completed'
      for (const learner of course.learners.values())
        if (learner.enrollment === 'active') learner.enrollment = 'completed'
    },
    async sendEvent(learner, { url, secret }) {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` }
      const body = JSON.stringify(courseCompleted(course, learner, clock.now()))
      return (await fetch(url, { method: 'POST', headers, body })).status
    },
    refuse: (part, status) => void refused.set(part, status),
    throttle(times, retryAfterS) {
      throttled = times
      throttledHeaders = retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }
    },
    slowDown(items) {
      slowFrom = items
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return site
}

/** A Live Event as in Canvas's documentation, without the members that are not read. It always has a time. */
function courseCompleted(course: CanvasCourse, learner: SiteLearner, now: Date) {
  const { id, email, name } = learner
  const progress = course.progressOf(learner)
  return {
    metadata: { event_name: 'course_completed', event_time: now.toISOString(), user_id: '21070000000000123' },
    body: {
      course: { account_id: '79', id: String(course.id), name: course.name, sis_source_id: course.sis_course_id },
      progress: { ...progress, completed_at: progress.completed_at ?? now.toISOString() },
      user: { email, id, name },
    },
  }
}
