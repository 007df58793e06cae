// A simulated Canvas on loopback with the part of the API that credsync uses. Responses, paging and errors follow
// Instructure's documentation and the Canvas source, but have never been compared with a real Canvas instance.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SiteLearner {
  id: string
  name: string
  sortable_name: string
  sis_user_id?: string | null
  login_id?: string
  email?: string
  /** Whether the learner is an active student of the course. */
  isStudent: boolean
  /** Number of course requirements that the learner has met. */
  metRequirements: number
  completed_at: string | null
  /** The state of each module. */
  states: ('locked' | 'unlocked' | 'started' | 'completed')[]
}

interface Column {
  id: number
  title: string
  read_only?: boolean
  /** The cells of the gradebook column by learner, in creation order. */
  cells: Map<string, string>
}

export interface CanvasSite {
  url: string
  token: string
  course: { id: number; sis_course_id: string; name: string; requirements: number }
  columns: Column[]
  /** Enrolls a student who has met no requirement yet. */
  enroll(firstname: string, more?: Partial<SiteLearner>): SiteLearner
  complete(learner: SiteLearner, at: string): void
  /** Requests received, such as `GET courses/7/users`, in order. */
  requests: string[]
  /** Refuses requests whose path contains `part` with this status. */
  refuse(part: string, status: 401 | 403 | 404 | 500): void
  /** Refuses the next `times` requests with a rate-limit error, which may name a time to wait. */
  throttle(times: number, retryAfterS?: number): void
  close(): Promise<void>
}

/** @param pageSize maximum number of items on a page; the API allows 100 */
export async function openCanvasSite({ pageSize = 100 } = {}): Promise<CanvasSite> {
  const learners: SiteLearner[] = []
  const requests: string[] = []
  const refused = new Map<string, number>()
  let throttled = 0
  let throttledHeaders: Record<string, string> = {}
  const token = '7~canvas-token-of-the-account'
  const course = { id: 7, sis_course_id: 'CS/101.11é', name: 'Fire & safety', requirements: 2 }
  const columns: Column[] = []

  const students = () => learners.filter(({ isStudent }) => isStudent)
  const publicFields = ({ id, name, sortable_name, sis_user_id, login_id, email }: SiteLearner) => {
    return { id, name, sortable_name, sis_user_id, login_id, email }
  }
  const progressOf = ({ metRequirements, completed_at }: SiteLearner) => ({
    requirement_count: course.requirements,
    requirement_completed_count: metRequirements,
    next_requirement_url: null,
    completed_at,
  })
  const notFound = { status: 404, body: { errors: [{ message: 'The specified resource does not exist.' }] } }

  function answer(method: string, path: string, query: URLSearchParams, body: Record<string, never>) {
    if (path === 'users/self') return { body: { id: 1, name: 'credsync' } }
    const [, code = '', rest = ''] = /^courses\/([^/]+)\/?(.*)$/.exec(path) ?? []
    if (![String(course.id), `sis_course_id:${course.sis_course_id}`].includes(decodeURIComponent(code)))
      return notFound
    const [, who = '', more = ''] = /^users\/([^/]+)\/?(.*)$/.exec(rest) ?? []
    if (who) {
      const named = decodeURIComponent(who)
      const learner = students().find(({ id, sis_user_id }) => [id, `sis_user_id:${sis_user_id}`].includes(named))
      if (!learner) return notFound
      if (more !== 'progress') return { body: publicFields(learner) }
      return course.requirements > 0 ? { body: progressOf(learner) } : noModules
    }
    const [, columnId = '', data = '', cellOf = ''] =
      /^custom_gradebook_columns\/?(\d*)\/?(data)?\/?(\d*)$/.exec(rest) ?? []
    const column = columns.find(({ id }) => String(id) === columnId)
    if (rest === '') return { body: { ...course } }
    if (rest === 'bulk_user_progress')
      return course.requirements > 0
        ? {
            list: students().map((student) => ({
              id: student.id,
              display_name: student.name,
              progress: progressOf(student),
            })),
          }
        : noModules
    if (rest === 'users') {
      const ids = query.getAll('user_ids[]')
      return {
        list: students()
          .filter(({ id }) => ids.length === 0 || ids.includes(id))
          .map(publicFields),
      }
    }
    if (rest === 'modules') {
      const learner = learners.find(({ id }) => id === query.get('student_id'))
      return learner ? { list: learner.states.map((state, index) => ({ id: index + 1, state })) } : notFound
    }
    if (rest === 'custom_gradebook_columns' && method === 'POST') {
      const newColumn = { id: 100 + columns.length, ...(body.column as unknown as { title: string }), cells: new Map() }
      columns.push(newColumn)
      return { body: { id: newColumn.id, title: newColumn.title } }
    }
    if (rest === 'custom_gradebook_columns') return { list: columns.map(({ id, title }) => ({ id, title })) }
    if (column && data && method === 'GET')
      return { list: [...column.cells].map(([user_id, content]) => ({ user_id, content })) }
    if (column && method === 'PUT') return write(column, cellOf, body)
    return notFound
  }

  function write(column: Column, user_id: string, body: Record<string, never>) {
    if (!students().some(({ id }) => id === user_id)) return notFound
    const { content } = body.column_data as unknown as { content: string }
    // This error comes with HTTP 200.
    if (content.length > 255) return { body: { content: [{ attribute: 'content', type: 'too_long' }] } }
    if (content.trim() === '') column.cells.delete(user_id)
    else column.cells.set(user_id, content)
    return { body: { user_id, content } }
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://canvas')
    const path = pathname.replace('/api/v1/', '')
    requests.push(`${request.method} ${path}`)
    const end = (status: number, text: string, headers: Record<string, string> = {}) =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
    if (request.headers.authorization !== `Bearer ${token}`)
      return end(401, '{"errors":[{"message":"Invalid access token."}]}', {
        'www-authenticate': 'Bearer realm="canvas-lms"',
      })
    if (throttled > 0) {
      throttled--
      return end(403, '403 Forbidden (Rate Limit Exceeded)\n', {
        'content-type': 'text/plain; charset=utf-8',
        ...throttledHeaders,
      })
    }
    const status = [...refused].find(([part]) => path.includes(part))?.[1]
    if (status) return end(status, '{"errors":[{"message":"user not authorized to perform that action"}]}')
    // Canvas reads a suffix after a dot as a format.
    const text = Buffer.concat(chunks).toString('utf8')
    const found = path.includes('.')
      ? notFound
      : answer(request.method ?? '', path, searchParams, text ? JSON.parse(text) : {})
    const asText = /canvas-string-ids/.test(request.headers.accept ?? '')
    const json = (value: unknown) =>
      JSON.stringify(value).replaceAll(/"(id|user_id)":"?(\d+)"?/g, asText ? '"$1":"$2"' : '"$1":$2')
    if (!('list' in found)) return end(('status' in found && found.status) || 200, json(found.body))
    const size = Math.min(Number(searchParams.get('per_page') ?? 10), pageSize)
    const page = Number(searchParams.get('page') ?? 1)
    const link = (number: number, rel: string) => {
      searchParams.set('page', String(number))
      return `<${site.url}${pathname}?${searchParams}>; rel="${rel}"`
    }
    const links = [link(page, 'current'), ...(found.list.length > page * size ? [link(page + 1, 'next')] : [])]
    return end(200, json(found.list.slice((page - 1) * size, page * size)), { link: links.join(',') })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const site: CanvasSite = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    course,
    columns,
    requests,
    enroll(firstname, more) {
      const learner: SiteLearner = {
        id: String(1_000 + learners.length),
        name: `${firstname} Lovelace`,
        sortable_name: `Lovelace, ${firstname}`,
        email: `${firstname.toLowerCase()}@example.org`,
        isStudent: true,
        metRequirements: 0,
        completed_at: null,
        states: ['unlocked', 'unlocked'],
        ...more,
      }
      learners.push(learner)
      return learner
    },
    complete: (learner, at) =>
      void Object.assign(learner, {
        metRequirements: course.requirements,
        completed_at: at,
        states: ['completed', 'completed'],
      }),
    refuse: (part, status) => void refused.set(part, status),
    throttle: (times, retryAfterS) => {
      throttled = times
      throttledHeaders = retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return site
}

const noModules = {
  status: 400,
  body: { error: { message: 'No progress available because this course is not module based' } },
}
