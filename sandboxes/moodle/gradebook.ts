// The marks, which three interfaces write and four read, and the course total computed from them. In memory.

import type { GradeItem, SiteCourse, SiteGrade, SiteLearner } from './records.ts'
import type { Site } from './site.ts'

export interface NewMark {
  grade: number | null
  feedback: string
  feedbackFormat: number
  /** Seconds since 1970. */
  at: number
}

/** Overwrites the learner's mark in the given table, keeping its id and creation time. */
export function writeMark(site: Site, marks: Map<number, SiteGrade>, learner: number, { at, ...mark }: NewMark): void {
  const before = marks.get(learner)
  marks.set(learner, {
    ...mark,
    id: before?.id ?? site.nextId('mark'),
    createdAt: before?.createdAt ?? at,
    modifiedAt: at,
  })
}

export function gradeItemsOf(course: SiteCourse): GradeItem[] {
  return [course.assignment?.item, course.lineItem].filter((item) => item !== null && item !== undefined)
}

/** Returns the mean of the graded items, out of 100, and when the last one was graded; null if none is graded. */
export function courseTotal(course: SiteCourse, learner: SiteLearner): { grade: number; at: number } | null {
  const marks = gradeItemsOf(course)
    .map((item) => item.marks.get(learner.id))
    .filter((mark) => mark !== undefined)
  const grades = marks.map(({ grade }) => grade).filter((grade) => grade !== null)
  if (grades.length === 0) return null
  return {
    grade: grades.reduce((sum, each) => sum + each, 0) / grades.length,
    at: Math.max(...marks.map(({ modifiedAt }) => modifiedAt)),
  }
}
