// The twin's record of whether the report shows anything of a course before its first list.

import type { FirstList } from '#src/ledger/runs/first-list.ts'
import type { CourseRecord } from './records.ts'

export function firstListHold(course: CourseRecord, firstList: FirstList | undefined): string | null {
  return course.firstList?.state === 'approved' ? null : (firstList?.shows ?? null)
}

export function noteFirstList(course: CourseRecord, { shows }: FirstList): void {
  if (course.firstList?.state === 'approved') return
  course.firstList = { state: shows === null ? 'clear' : 'shown', shows }
}

export function settleFirstList(course: CourseRecord): void {
  course.firstList = { state: 'approved', shows: null }
}

export function forgetFirstList(course: CourseRecord): void {
  if (course.firstList?.state === 'shown') course.firstList = null
}
