// gradereport_user_get_grade_items, as captures 43 and 43b: the only place where a comment can be read back over REST.

import { courseTotal, gradeItemsOf } from '../gradebook.ts'
import { notEnrolled } from '../moodle-error.ts'
import type { Course, GradeItem, Learner, Mark } from '../records.ts'
import { shownName } from '../site-text.ts'
import type { WebServiceFunction } from './web-service-function.ts'

export const gradeItems: WebServiceFunction = {
  parameters: ['courseid', 'userid', 'groupid'],
  answer({ args, site }) {
    const course = site.course(args.integer('courseid'))
    const wanted = args.has('userid') ? args.integer('userid') : 0
    if (wanted !== 0 && !course.enrolled.has(wanted)) throw notEnrolled()
    const ids = wanted === 0 ? [...course.enrolled] : [wanted]
    return { usergrades: ids.map((id) => shownLearner(site.learner(id), course)), warnings: [] }
  },
}

function shownLearner(learner: Learner, course: Course): Record<string, unknown> {
  const total = courseTotal(course, learner)
  return {
    courseid: course.id,
    courseidnumber: course.idnumber,
    userid: learner.id,
    userfullname: `${learner.firstname} ${learner.lastname}`,
    useridnumber: learner.idnumber,
    maxdepth: 2,
    gradeitems: [
      ...gradeItemsOf(course).map((item) => shownItem(item, course, item.marks.get(learner.id) ?? null)),
      {
        ...headOf(course.totalItemId, null, 'course', null, categoryOf(course), null),
        idnumber: null,
        categoryid: null,
        outcomeid: null,
        scaleid: null,
        locked: false,
        ...gradeOf(total?.grade ?? null, total?.at ?? null, '', 2),
      },
    ],
  }
}

function shownItem(item: GradeItem, course: Course, mark: Mark | null): Record<string, unknown> {
  const weight = 1 / gradeItemsOf(course).length
  return {
    ...headOf(item.id, shownName(item.name), 'mod', item.module, item.instance, 0),
    idnumber: item.idnumber,
    categoryid: categoryOf(course),
    outcomeid: null,
    scaleid: null,
    locked: false,
    cmid: item.cmid,
    weightraw: weight,
    weightformatted: `${(weight * 100).toFixed(2)} %`,
    ...gradeOf(mark?.grade ?? null, mark?.modifiedAt ?? null, mark?.feedback ?? '', mark?.feedbackFormat ?? 2),
  }
}

// Course 2 had the first category of the gradebook.
function categoryOf({ id }: Course): number {
  return id - 1
}

function headOf(
  id: number,
  itemname: string | null,
  itemtype: string,
  itemmodule: string | null,
  iteminstance: number,
  itemnumber: number | null,
): Record<string, unknown> {
  return { id, itemname, itemtype, itemmodule, iteminstance, itemnumber }
}

// What stands there without a grade was not captured.
function gradeOf(grade: number | null, at: number | null, feedback: string, format: number): Record<string, unknown> {
  return {
    graderaw: grade,
    gradedatesubmitted: null,
    gradedategraded: at,
    gradehiddenbydate: false,
    gradeneedsupdate: false,
    gradeishidden: false,
    gradeislocked: false,
    gradeisoverridden: false,
    gradeformatted: grade === null ? '-' : grade.toFixed(2),
    grademin: 0,
    grademax: 100,
    rangeformatted: '0&ndash;100',
    percentageformatted: grade === null ? '-' : `${grade.toFixed(2)} %`,
    feedback,
    feedbackformat: format,
  }
}
