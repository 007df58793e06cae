// The state of the learning system: its records by their ids, and the creation of new records. In memory.

import { missingRecord } from './moodle-error.ts'
import type { Assignment, GradeItem, ProfileField, SiteCourse, SiteLearner, SiteProgress } from './records.ts'

export const guestId = 1
export const adminId = 2
/** The user of the web service, with the id from capture 41. */
export const accountId = 7

export interface NewCourse {
  idnumber: string
  shortname: string
  fullname: string
  /** Pages that must be completed; one called "Read this" by default, none for a course without criteria. */
  criteria?: readonly { title: string; idnumber?: string }[]
  /** An assignment whose comment can contain a link. */
  assignment?: { name: string; idnumber?: string; maxGrade?: number }
  /** True if a user outside the course's groups sees no one, unless the role may see all groups. */
  separateGroups?: boolean
  /** An LTI activity, whose gradebook column can receive scores. */
  lineItem?: { label: string }
}

export interface NewLearner {
  /** Default: the next free one. */
  id?: number
  firstname: string
  lastname: string
  email: string
  idnumber?: string
  /** Default: the part of the e-mail address before the @. */
  username?: string
  hasPublicEmail?: boolean
}

export class Site {
  readonly name = 'Lab College'
  /** Base address without a trailing slash; known once the server listens. */
  url = ''
  readonly courses = new Map<number, SiteCourse>()
  readonly learners = new Map<number, SiteLearner>()
  readonly administrators = new Set([adminId])
  readonly fields: ProfileField[] = []
  // Course 1 is the front page. User 1 is the guest, and user 2 the administrator.
  readonly #next = { course: 2, learner: 3, module: 2, item: 1, assignment: 1, activity: 1, completion: 1, mark: 1 }

  nextId(kind: 'completion' | 'mark'): number {
    return this.#next[kind]++
  }

  addCourse({
    idnumber,
    shortname,
    fullname,
    criteria,
    assignment,
    separateGroups = false,
    lineItem,
  }: NewCourse): SiteCourse {
    const id = this.#next.course++
    const course: SiteCourse = {
      id,
      // As in the captures: course 2 has context 11, course 3 context 14.
      contextid: 3 * id + 5,
      idnumber,
      shortname,
      fullname,
      criteria: (criteria ?? [{ title: 'Read this', idnumber: `${shortname}-page` }]).map((each) => ({
        cmid: this.#next.module++,
        title: each.title,
        idnumber: each.idnumber ?? '',
      })),
      enrolled: new Set(),
      teachers: new Set(),
      separateGroups,
      progress: new Map(),
      totalItemId: this.#next.item++,
      assignment: assignment ? this.#assignment(assignment) : null,
      lineItem: lineItem ? this.#item('lti', this.#next.activity++, lineItem.label, '') : null,
    }
    this.courses.set(id, course)
    return course
  }

  addLearner({
    firstname,
    lastname,
    email,
    idnumber,
    username,
    hasPublicEmail = false,
    ...given
  }: NewLearner): SiteLearner {
    if (this.#next.learner === accountId) this.#next.learner++
    const id = given.id ?? this.#next.learner++
    const learner: SiteLearner = {
      id,
      username: username ?? (email.split('@')[0] ?? '').toLowerCase(),
      firstname,
      lastname,
      email,
      hasPublicEmail,
      idnumber: idnumber ?? '',
      fields: new Map(),
    }
    this.learners.set(id, learner)
    return learner
  }

  /** @throws SiteError invalidrecord */
  course(id: number): SiteCourse {
    const found = this.courses.get(id)
    if (!found) throw missingRecord('course')
    return found
  }

  /** @throws SiteError invalidrecord */
  learner(id: number): SiteLearner {
    const found = this.learners.get(id)
    if (!found) throw missingRecord('user')
    return found
  }

  /** @throws SiteError invalidrecord */
  assignment(id: number): Assignment {
    const found = this.courses.values().find((course) => course.assignment?.id === id)?.assignment
    if (!found) throw missingRecord('assign')
    return found
  }

  #assignment({ name, idnumber, maxGrade = 100 }: NonNullable<NewCourse['assignment']>): Assignment {
    const id = this.#next.assignment++
    return { id, item: { ...this.#item('assign', id, name, idnumber ?? ''), maxGrade }, grades: new Map() }
  }

  #item(module: 'assign' | 'lti', instance: number, name: string, idnumber: string): GradeItem {
    const [id, cmid] = [this.#next.item++, this.#next.module++]
    return { id, cmid, module, instance, name, idnumber, maxGrade: 100, marks: new Map() }
  }
}

/** Returns the learner's progress in the course, and creates it if there is none. */
export function progressOf(course: SiteCourse, learner: number): SiteProgress {
  const found = course.progress.get(learner)
  if (found) return found
  const created: SiteProgress = { ticks: new Map(), completion: null }
  course.progress.set(learner, created)
  return created
}
