// Answers one request to the API of the Canvas sandbox, as Canvas's source does. Changes the site in memory.

import type { CanvasCourse, CanvasPermission, SiteLearner } from './site.ts'

export interface SiteColumn {
  id: number
  title: string
  read_only?: boolean
  hidden?: boolean
  teacher_notes?: boolean
  /** The entries by learner, in the order of their creation. */
  cells: Map<string, string>
}

export interface SiteRequest {
  method: string
  /** Relative to /api/v1/. */
  path: string
  query: URLSearchParams
  body: { column?: { title: string; read_only?: boolean }; column_data?: { content: string } }
  now: Date
}

export interface SiteAnswer {
  status?: number
  body?: unknown
  /** Instead of `body`, to be sent page by page. */
  list?: unknown[]
  /** Ids are numbers, whatever was asked for: Canvas renders this answer as text. */
  hasNumericIds?: boolean
}

const notFound: SiteAnswer = { status: 404, body: { errors: [{ message: 'The specified resource does not exist.' }] } }
const unauthorized: SiteAnswer = {
  status: 403,
  body: { status: 'unauthorized', errors: [{ message: 'user not authorized to perform that action' }] },
}
const noModules: SiteAnswer = {
  status: 400,
  body: { error: { message: 'No progress available because this course is not module based' } },
}
const noProgress: SiteAnswer = { body: { error: { message: 'no progress available' } } }

export function answerRequest(course: CanvasCourse, columns: SiteColumn[], request: SiteRequest): SiteAnswer {
  const { path, query } = request
  if (path === 'users/self') return { body: { id: 1, name: 'credsync' } }
  const [, code = '', rest = ''] = /^courses\/([^/]+)\/?(.*)$/.exec(path) ?? []
  const codes = [String(course.id), ...(may('read_sis') ? [`sis_course_id:${course.sis_course_id}`] : [])]
  if (!codes.includes(decodeURIComponent(code))) return notFound
  const [kind = '', who = '', more = ''] = rest.split('/')
  if (kind === '') return may('read_course_content') ? { body: courseJson() } : unauthorized
  if (kind === 'bulk_user_progress') return bulkProgress()
  if (kind === 'users' && more === 'progress') return progressOfOne(decodeURIComponent(who))
  if (kind === 'users') return may('read_roster') ? (who ? oneUser(decodeURIComponent(who)) : users()) : unauthorized
  if (kind === 'modules') return more === 'items' ? itemsOf(who) : modules()
  if (kind === 'custom_gradebook_columns') return may('view_all_grades') ? gradebook(who, rest) : unauthorized
  return notFound

  function may(permission: CanvasPermission): boolean {
    return !course.forbidden.has(permission)
  }

  function all(): SiteLearner[] {
    return [...course.learners.values()]
  }

  function courseJson() {
    const { id, sis_course_id, name, workflow_state } = course
    const total = all().filter(
      ({ enrollment, isTestStudent }) => !isTestStudent && ['active', 'invited'].includes(enrollment),
    ).length
    return {
      ...{ id, name, workflow_state },
      ...(may('read_sis') && { sis_course_id }),
      ...(query.getAll('include[]').includes('total_students') && { total_students: total }),
    }
  }

  function bulkProgress(): SiteAnswer {
    if (!may('view_all_grades')) return unauthorized
    if (course.requirementCount === 0) return noModules
    const list = course.seen('active', 'invited').map((student) => ({
      ...{ id: student.id, display_name: student.name, progress: course.progressOf(student) },
    }))
    return { list, hasNumericIds: true }
  }

  function progressOfOne(ref: string): SiteAnswer {
    const learner = find(all(), ref)
    if (!learner || learner.enrollment === 'deleted') return notFound
    if (!may('view_all_grades')) return unauthorized
    if (learner.isTestStudent || learner.enrollment === 'inactive') return noProgress
    return course.requirementCount === 0 ? noModules : { body: course.progressOf(learner) }
  }

  /** People whose enrollment is concluded are not found here. */
  function oneUser(ref: string): SiteAnswer {
    const current = all().filter(({ enrollment }) => enrollment === 'active' || enrollment === 'invited')
    const learner = find(current, ref)
    return learner ? { body: userJson(learner) } : notFound
  }

  function users(): SiteAnswer {
    const states = query.getAll('enrollment_state[]') as SiteLearner['enrollment'][]
    const ids = query.getAll('user_ids[]')
    const found = query.getAll('enrollment_type[]').includes('student_view')
      ? all().filter(({ isTestStudent }) => isTestStudent)
      : course.seen(...(states.length > 0 ? states : ['active' as const, 'invited' as const]))
    return { list: found.filter(({ id }) => ids.length === 0 || ids.includes(id)).map(userJson) }
  }

  /** Somebody who has not accepted the invitation is listed without an address and a login. */
  function userJson({ id, name, sortable_name, sis_user_id, login_id, email, enrollment }: SiteLearner) {
    const isConfirmed = enrollment !== 'invited'
    return {
      ...{ id, name, sortable_name },
      ...(may('read_sis') && isConfirmed && { sis_user_id }),
      ...(may('view_user_logins') && isConfirmed && { login_id }),
      ...(may('read_email_addresses') && isConfirmed && email !== null && { email }),
    }
  }

  /** Reading the modules of a student evaluates them. Only current students can be named. */
  function modules(): SiteAnswer {
    if (!may('read_course_content')) return unauthorized
    const studentId = query.get('student_id')
    const learner = studentId === null ? null : find(course.seen('active', 'invited'), studentId)
    if (studentId !== null && (!learner || !may('view_all_grades'))) return unauthorized
    if (learner) course.evaluate(learner, request.now)
    const withItems = query.getAll('include[]').includes('items')
    return {
      list: course.modules.map((each) => {
        const progression = learner?.progressions.get(each.id)
        return {
          ...{ id: each.id, items_count: each.items.length },
          ...(progression && { state: progression.state, completed_at: progression.completedAt }),
          // Canvas leaves out the items of a large module.
          ...(withItems && each.items.length <= maxItems && { items: itemsJson(each) }),
        }
      }),
    }
  }

  function itemsOf(moduleId: string): SiteAnswer {
    const found = course.modules.find(({ id }) => String(id) === moduleId)
    return found ? { list: itemsJson(found) } : notFound
  }

  function gradebook(columnId: string, inside: string): SiteAnswer {
    if (columnId === '' && request.method === 'POST') {
      const title = request.body.column?.title ?? ''
      const created = { id: 100 + columns.length, ...request.body.column, title, cells: new Map<string, string>() }
      columns.push(created)
      return { body: columnJson(created) }
    }
    if (columnId === '') {
      const shown = query.get('include_hidden') === 'true' ? columns : columns.filter(({ hidden }) => !hidden)
      return { list: shown.map(columnJson) }
    }
    const column = columns.find(({ id }) => String(id) === columnId)
    const learner = /\/data\/(\d+)$/.exec(inside)?.[1]
    return column && learner && request.method === 'PUT' ? writeEntry(column, learner) : notFound
  }

  function writeEntry({ cells }: SiteColumn, user_id: string): SiteAnswer {
    const learner = course.learners.get(user_id)
    if (!learner || !course.sees(learner, 'active', 'invited', 'completed', 'inactive')) return notFound
    const content = request.body.column_data?.content ?? ''
    // This error comes with HTTP 200.
    if (content.length > 255) return { body: { content: [{ attribute: 'content', type: 'too_long' }] } }
    if (content.trim() === '') cells.delete(user_id)
    else cells.set(user_id, content)
    return { body: { user_id, content } }
  }
}

const maxItems = 50

function find(learners: readonly SiteLearner[], ref: string): SiteLearner | undefined {
  return learners.find(({ id, sis_user_id }) => [id, `sis_user_id:${sis_user_id}`].includes(ref))
}

function itemsJson({ items }: CanvasCourse['modules'][number]) {
  return items.map(({ id, required }) => ({ id, ...(required && { completion_requirement: { type: 'must_view' } }) }))
}

function columnJson({ id, title, read_only = false, hidden = false, teacher_notes = false }: SiteColumn) {
  return { id, title, read_only, hidden, teacher_notes }
}
