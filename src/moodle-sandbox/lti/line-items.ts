// /mod/lti/services.php: line items, scores and results of Assignment and Grade Services (section 6, capture 50).

import { writeMark } from '../gradebook.ts'
import type { MoodleJournal } from '../journal.ts'
import type { Course, GradeItem } from '../records.ts'
import type { Site } from '../site.ts'
import { phpJson, type WrittenAnswer } from '../written-answer.ts'
import { readScore } from './score.ts'
import type { Scope, TokenDesk } from './token-desk.ts'

export interface ServiceCall {
  method: string
  /** Behind services.php, beginning with a slash. */
  path: string
  query: URLSearchParams
  contentType: string
  /** Empty where none came. */
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
const media = 'application/vnd.ims.lis.'
const mediaOf: Readonly<Record<Resource, string>> = {
  lineitems: `${media}v2.lineitemcontainer+json`,
  lineitem: `${media}v2.lineitem+json`,
  scores: `${media}v1.score+json`,
  results: `${media}v2.resultcontainer+json`,
}
/** Number of the registered tool's type. */
const typeId = '1'

export class LineItems {
  readonly #site: Site
  readonly #desk: TokenDesk
  readonly #journal: MoodleJournal

  constructor(site: Site, desk: TokenDesk, journal: MoodleJournal) {
    this.#site = site
    this.#desk = desk
    this.#journal = journal
  }

  /**
   * A path that is none, a media type that is not the resource's, in Accept or in Content-Type and to the letter, and so
   * also a line item's address with /scores put behind its query, are 400, as in Moodle's source (mod/lti/services.php).
   */
  answer(call: ServiceCall): WrittenAnswer {
    const { resource, answer } = this.#route(call)
    const what = `${call.method === 'POST' ? 'POST' : 'GET'} ${resource ?? 'unknown'}`
    this.#journal.did({ kind: 'answered', door: 'lti', what, status: answer.status, errorcode: null })
    return answer
  }

  #route(call: ServiceCall): { resource: Resource | null; answer: WrittenAnswer } {
    const match = /^\/(\d{1,9})\/lineitems(?:\/(\d{1,9})\/lineitem(?:\/(scores|results))?)?$/.exec(call.path)
    const resource = match ? ((match[3] ?? (match[2] ? 'lineitem' : 'lineitems')) as Resource) : null
    if (!match || !resource || !fits(resource, call)) return { resource: null, answer: refusal(400, call) }
    const admitted = this.#desk.admits(call.authorization, scopesOf[resource]) && call.query.get('type_id') === typeId
    if (!admitted) return { resource, answer: refusal(401, call) }
    const course = this.#site.courses.get(Number(match[1]))
    if (!course) return { resource, answer: refusal(404, call) }
    const item = course.lineItem
    if (resource === 'lineitems') {
      const body = (item ? [item] : []).map((each) => this.#shown(each, course))
      return { resource, answer: json(resource, body) }
    }
    if (item?.id !== Number(match[2])) return { resource, answer: refusal(404, call) }
    return { resource, answer: this.#ofItem(resource, item, course, call) }
  }

  #ofItem(
    resource: 'lineitem' | 'scores' | 'results',
    item: GradeItem,
    course: Course,
    { body, query }: ServiceCall,
  ): WrittenAnswer {
    if (resource === 'lineitem') return json(resource, this.#shown(item, course))
    if (resource === 'results') return this.#results(item, course, query.get('user_id'))
    return this.#take(body, item, course)
  }

  /** A score of the same second as the stored one, or an older one, is 409, as in Moodle's source. */
  #take(body: string, item: GradeItem, course: Course): WrittenAnswer {
    const score = readScore(body)
    if (!score || !course.enrolled.has(score.userId)) return refused(400)
    const before = item.marks.get(score.userId)
    if (before && before.modifiedAt >= score.at) return refused(409)
    const { grade, comment, at } = score
    writeMark(this.#site, item.marks, score.userId, { grade, feedback: comment, feedbackFormat: 2, at })
    this.#journal.did({ kind: 'wrote', what: 'score', learner: score.userId })
    return { status: 200, contentType: typed(mediaOf.scores), body: '' }
  }

  /** A user that is no number is as good as none: everybody's results come, as in Moodle's source. */
  #results(item: GradeItem, course: Course, user: string | null): WrittenAnswer {
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

  #shown(item: GradeItem, course: Course): Record<string, unknown> {
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

  #url(item: GradeItem, course: Course): string {
    return `${this.#site.url}/mod/lti/services.php/${course.id}/lineitems/${item.id}/lineitem`
  }
}

function fits(resource: Resource, { method, contentType, accept }: ServiceCall): boolean {
  if (resource === 'scores') return method === 'POST' && contentType === mediaOf.scores
  return method === 'GET' && (accept === '' || accept.includes('*/*') || accept === mediaOf[resource])
}

function json(resource: Resource, value: unknown): WrittenAnswer {
  return { status: 200, contentType: typed(mediaOf[resource]), body: phpJson(value) }
}

// Capture 50: refusals of a score have an empty array for a body.
function refused(status: 400 | 409): WrittenAnswer {
  return { status, contentType: typed(mediaOf.scores), body: '[]' }
}

// All others tell the request again, as in Moodle's source (mod/lti/classes/local/ltiservice/response.php).
function refusal(status: keyof typeof reasons, { method, path, query, accept }: ServiceCall): WrittenAnswer {
  const url = `/mod/lti/services.php${path}${query.size > 0 ? `?${query}` : ''}`
  const said = { status, reason: reasons[status], request: { method, url, accept } }
  return { status, contentType: typed('application/json'), body: JSON.stringify(said, null, 4) }
}

const reasons = { 400: 'Bad Request', 401: 'Unauthorized', 404: 'Not Found' }

function typed(type: string): string {
  return `${type}; charset=utf-8`
}
