// The learning system's memory: records by their numbers, and how new ones come to be.

import { missingRecord } from './moodle-error.ts'
import type { Assignment, Course, GradeItem, Learner, ProfileField, Progress } from './records.ts'

export const adminId = 2
/** The web service's own user, with the number that it has in capture 41. */
export const accountId = 7

export interface NewCourse {
  idnumber: string
  shortname: string
  fullname: string
  /** Pages to be completed; one called "Read this" by default, none for a course without criteria. */
  criteria?: readonly { title: string; idnumber?: string }[]
  /** An assignment whose comment can carry a link. */
  assignment?: { name: string; idnumber?: string }
  /** An LTI activity, whose column scores can be sent to. */
  lineItem?: { label: string }
}

export interface NewLearner {
  firstname: string
  lastname: string
  email: string
  idnumber?: string
  /** The part of the e-mail address before the @ by default. */
  username?: string
}

export class Site {
  readonly name: string
  /** Base address without a trailing slash; known once the server listens. */
  url = ''
  readonly courses = new Map<number, Course>()
  readonly learners = new Map<number, Learner>()
  readonly fields: ProfileField[] = []
  // Number 1 is the front page's course and the guest's, 2 the administrator's.
  readonly #next = { course: 2, learner: 3, module: 2, item: 1, assignment: 1, activity: 1, completion: 1, mark: 1 }

  constructor(name: string) {
    this.name = name
  }

  number(of: 'completion' | 'mark'): number {
    return this.#next[of]++
  }

  addCourse({ idnumber, shortname, fullname, criteria, assignment, lineItem }: NewCourse): Course {
    const id = this.#next.course++
    const course: Course = {
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
      progress: new Map(),
      totalItemId: this.#next.item++,
      assignment: assignment ? this.#assignment(assignment) : null,
      lineItem: lineItem ? this.#item('lti', this.#next.activity++, lineItem.label, '') : null,
    }
    this.courses.set(id, course)
    return course
  }

  addLearner({ firstname, lastname, email, idnumber, username }: NewLearner): Learner {
    if (this.#next.learner === accountId) this.#next.learner++
    const id = this.#next.learner++
    const learner: Learner = {
      id,
      username: username ?? (email.split('@')[0] ?? '').toLowerCase(),
      firstname,
      lastname,
      email,
      idnumber: idnumber ?? '',
      fields: new Map(),
    }
    this.learners.set(id, learner)
    return learner
  }

  /** @throws MoodleError invalidrecord */
  course(id: number): Course {
    const found = this.courses.get(id)
    if (!found) throw missingRecord('course')
    return found
  }

  /** @throws MoodleError invalidrecord */
  learner(id: number): Learner {
    const found = this.learners.get(id)
    if (!found) throw missingRecord('user')
    return found
  }

  /** @throws MoodleError invalidrecord */
  assignment(id: number): Assignment {
    const found = this.courses.values().find((course) => course.assignment?.id === id)?.assignment
    if (!found) throw missingRecord('assign')
    return found
  }

  #assignment({ name, idnumber }: { name: string; idnumber?: string }): Assignment {
    const id = this.#next.assignment++
    return { id, item: this.#item('assign', id, name, idnumber ?? ''), grades: new Map() }
  }

  #item(module: 'assign' | 'lti', instance: number, name: string, idnumber: string): GradeItem {
    const [id, cmid] = [this.#next.item++, this.#next.module++]
    return { id, cmid, module, instance, name, idnumber, marks: new Map() }
  }
}

/** The learner's progress in the course, begun where there is none. */
export function progressOf(course: Course, learner: number): Progress {
  const found = course.progress.get(learner)
  if (found) return found
  const begun: Progress = { ticks: new Map(), completion: null }
  course.progress.set(learner, begun)
  return begun
}
