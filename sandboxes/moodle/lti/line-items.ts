// /mod/lti/services.php: line items, scores and results of Assignment and Grade Services (section 6, capture 50).

import { writeMark } from '../gradebook.ts'
import { type HttpResponse, phpJson } from '../http-response.ts'
import type { MoodleJournal } from '../journal.ts'
import type { GradeItem, SiteCourse } from '../records.ts'
import type { Site } from '../site.ts'
import { readScore } from './score.ts'
import type { Scope, TokenEndpoint } from './token-endpoint.ts'

export interface ServiceCall {
  method: string
  /** The path after services.php, starting with a slash. */
  path: string
  query: URLSearchParams
  contentType: string
  /** Empty if missing. */
  accept: string
  authorization: string | undefined
  body: string
}

type Resource = 'lineitems' | 'lineitem' | 'scores' | 'results'

const scopesOf: Readonly<Record<Resource, readonly Scope[]>> = {
  lineitems: ['lineitem', 'lineitem.readonly'],
  lineitem: ['lineitem', 'lineitem.readonly'],
  scores: ['score'],
  results: ['result.readonly'],
}
const mediaPrefix = 'application/vnd.ims.lis.'
const mediaTypeOf: Readonly<Record<Resource, string>> = {
  lineitems: `${mediaPrefix}v2.lineitemcontainer+json`,
  lineitem: `${mediaPrefix}v2.lineitem+json`,
  scores: `${mediaPrefix}v1.score+json`,
  results: `${mediaPrefix}v2.resultcontainer+json`,
}
/** The type id of the registered tool. */
const typeId = '1'

export class LineItems {
  readonly #site: Site
  readonly #tokenEndpoint: TokenEndpoint
  readonly #journal: MoodleJournal

  constructor(site: Site, tokenEndpoint: TokenEndpoint, journal: MoodleJournal) {
    this.#site = site
    this.#tokenEndpoint = tokenEndpoint
    this.#journal = journal
  }

  /**
   * Answers a call. As in Moodle's source (mod/lti/services.php), an invalid path gets 400, and so does a media type in
   * Accept or Content-Type that is not exactly that of the resource. Therefore a line item's address with /scores
   * appended to its query gets 400 too.
   */
  answer(call: ServiceCall): HttpResponse {
    const { resource, answer } = this.#route(call)
    const what = `${call.method === 'POST' ? 'POST' : 'GET'} ${resource ?? 'unknown'}`
    this.#journal.record({ kind: 'answered', endpoint: 'lti', what, status: answer.status, errorcode: null })
    return answer
  }

  #route(call: ServiceCall): { resource: Resource | null; answer: HttpResponse } {
    const match = /^\/(\d{1,9})\/lineitems(?:\/(\d{1,9})\/lineitem(?:\/(scores|results))?)?$/.exec(call.path)
    const resource = match ? ((match[3] ?? (match[2] ? 'lineitem' : 'lineitems')) as Resource) : null
    if (!match || !resource || !hasMediaType(resource, call)) return { resource: null, answer: refusal(400, call) }
    const admitted =
      this.#tokenEndpoint.admits(call.authorization, scopesOf[resource]) && call.query.get('type_id') === typeId
    if (!admitted) return { resource, answer: refusal(401, call) }
    const course = this.#site.courses.get(Number(match[1]))
    if (!course) return { resource, answer: refusal(404, call) }
    const item = course.lineItem
    if (resource === 'lineitems') {
      const body = (item ? [item] : []).map((each) => this.#lineItemJson(each, course))
      return { resource, answer: json(resource, body) }
    }
    if (item?.id !== Number(match[2])) return { resource, answer: refusal(404, call) }
    return { resource, answer: this.#answerForItem(resource, item, course, call) }
  }

  #answerForItem(
    resource: 'lineitem' | 'scores' | 'results',
    item: GradeItem,
    course: SiteCourse,
    { body, query }: ServiceCall,
  ): HttpResponse {
    if (resource === 'lineitem') return json(resource, this.#lineItemJson(item, course))
    if (resource === 'results') return this.#results(item, course, query.get('user_id'))
    return this.#storeScore(body, item, course)
  }

  /** Stores a score. As in Moodle's source, a score that is not newer than the stored one by a full second gets 409. */
  #storeScore(body: string, item: GradeItem, course: SiteCourse): HttpResponse {
    const score = readScore(body)
    if (!score || !course.enrolled.has(score.userId)) return scoreRefusal(400)
    const before = item.marks.get(score.userId)
    if (before && before.modifiedAt >= score.at) return scoreRefusal(409)
    const { grade, comment, at } = score
    writeMark(this.#site, item.marks, score.userId, { grade, feedback: comment, feedbackFormat: 2, at })
    this.#journal.record({ kind: 'wrote', what: 'score', learner: score.userId })
    return { status: 200, contentType: withCharset(mediaTypeOf.scores), body: '' }
  }

  /** Returns all results, or those of a user. As in Moodle's source, a user id that is not a number is ignored. */
  #results(item: GradeItem, course: SiteCourse, user: string | null): HttpResponse {
    const url = this.#url(item, course)
    const wanted = Number.parseInt(user ?? '', 10) || null
    const results = [...item.marks]
      .filter(([id]) => wanted === null || wanted === id)
      .map(([id, mark]) => ({
        id: `${url}/results?type_id=${typeId}&user_id=${id}`,
        userId: String(id),
        ...(mark.grade === null ? {} : { resultScore: mark.grade, resultMaximum: 100 }),
        ...(mark.feedback === '' ? {} : { comment: mark.feedback }),
        scoreOf: `${url}?type_id=${typeId}`,
        timestamp: `${new Date(mark.modifiedAt * 1000).toISOString().slice(0, 19)}+00:00`,
      }))
    return json('results', results)
  }

  #lineItemJson(item: GradeItem, course: SiteCourse): Record<string, unknown> {
    return {
      id: `${this.#url(item, course)}?type_id=${typeId}`,
      label: item.name,
      scoreMaximum: 100,
      resourceId: '',
      tag: '',
      resourceLinkId: String(item.instance),
      ltiLinkId: String(item.instance),
    }
  }

  #url(item: GradeItem, course: SiteCourse): string {
    return `${this.#site.url}/mod/lti/services.php/${course.id}/lineitems/${item.id}/lineitem`
  }
}

function hasMediaType(resource: Resource, { method, contentType, accept }: ServiceCall): boolean {
  if (resource === 'scores') return method === 'POST' && contentType === mediaTypeOf.scores
  return method === 'GET' && (accept === '' || accept.includes('*/*') || accept === mediaTypeOf[resource])
}

function json(resource: Resource, value: unknown): HttpResponse {
  return { status: 200, contentType: withCharset(mediaTypeOf[resource]), body: phpJson(value) }
}

// As in capture 50, refusals of a score have an empty array as their body.
function scoreRefusal(status: 400 | 409): HttpResponse {
  return { status, contentType: withCharset(mediaTypeOf.scores), body: '[]' }
}

// All other refusals repeat the request, as in Moodle's source (mod/lti/classes/local/ltiservice/response.php).
function refusal(status: keyof typeof reasons, { method, path, query, accept }: ServiceCall): HttpResponse {
  const url = `/mod/lti/services.php${path}${query.size > 0 ? `?${query}` : ''}`
  const echo = { status, reason: reasons[status], request: { method, url, accept } }
  return { status, contentType: withCharset('application/json'), body: JSON.stringify(echo, null, 4) }
}

const reasons = { 400: 'Bad Request', 401: 'Unauthorized', 404: 'Not Found' }

function withCharset(type: string): string {
  return `${type}; charset=utf-8`
}
