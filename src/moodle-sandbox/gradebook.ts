// Marks: written by three doors, read by four, and the course total that follows from them.

import type { Course, GradeItem, Learner, Mark } from './records.ts'
import type { Site } from './site.ts'

export interface NewMark {
  grade: number | null
  feedback: string
  feedbackFormat: number
  /** Seconds since 1970. */
  at: number
}

/** Overwrites the learner's mark in that table, and keeps its number and the time of its making. */
export function writeMark(site: Site, marks: Map<number, Mark>, learner: number, { at, ...mark }: NewMark): void {
  const before = marks.get(learner)
  marks.set(learner, {
    ...mark,
    id: before?.id ?? site.number('mark'),
    createdAt: before?.createdAt ?? at,
    modifiedAt: at,
  })
}

export function gradeItemsOf(course: Course): GradeItem[] {
  return [course.assignment?.item, course.lineItem].filter((item) => item !== null && item !== undefined)
}

/** The mean of the graded items, of 100, and when the last of them was graded; null where nothing is graded. */
export function courseTotal(course: Course, learner: Learner): { grade: number; at: number } | null {
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
