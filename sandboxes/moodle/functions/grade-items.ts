// gradereport_user_get_grade_items, as in captures 43 and 43b: the only function that returns a comment over REST.

import { courseTotal, gradeItemsOf } from '../gradebook.ts'
import { noGrades, noPermission, notEnrolled, userDeleted } from '../moodle-error.ts'
import type { GradeItem, SiteCourse, SiteGrade, SiteLearner } from '../records.ts'
import { shownName } from '../site-text.ts'
import type { WebServiceFunction } from './web-service-function.ts'

export const gradeItems: WebServiceFunction = {
  parameters: ['courseid', 'userid', 'groupid'],
  answer({ args, site, may }) {
    const course = site.course(args.integer('courseid'))
    if (!may('gradereport/user:view')) throw noPermission('View user report')
    if (!may('moodle/grade:viewall')) throw noGrades()
    const wanted = args.has('userid') ? args.integer('userid') : 0
    if (site.learners.get(wanted)?.deleted) throw userDeleted()
    if (wanted !== 0 && !course.enrolled.has(wanted)) throw notEnrolled()
    const ids = wanted === 0 ? [...course.enrolled] : [wanted]
    return { usergrades: ids.map((id) => shownLearner(site.learner(id), course)), warnings: [] }
  },
}

function shownLearner(learner: SiteLearner, course: SiteCourse): Record<string, unknown> {
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
        ...itemFields(course.totalItemId, null, 'course', null, categoryOf(course), null),
        idnumber: null,
        categoryid: null,
        outcomeid: null,
        scaleid: null,
        locked: false,
        ...gradeFields(total?.grade ?? null, total?.at ?? null, '', 2),
      },
    ],
  }
}

function shownItem(item: GradeItem, course: SiteCourse, mark: SiteGrade | null): Record<string, unknown> {
  const weight = 1 / gradeItemsOf(course).length
  return {
    ...itemFields(item.id, shownName(item.name), 'mod', item.module, item.instance, 0),
    idnumber: item.idnumber,
    categoryid: categoryOf(course),
    outcomeid: null,
    scaleid: null,
    locked: false,
    cmid: item.cmid,
    weightraw: weight,
    weightformatted: `${(weight * 100).toFixed(2)} %`,
    ...gradeFields(
      mark?.grade ?? null,
      mark?.modifiedAt ?? null,
      mark?.feedback ?? '',
      mark?.feedbackFormat ?? 2,
      item.maxGrade,
    ),
  }
}

// In the captures, course 2 had the first category of the gradebook.
function categoryOf({ id }: SiteCourse): number {
  return id - 1
}

function itemFields(
  id: number,
  itemname: string | null,
  itemtype: string,
  itemmodule: string | null,
  iteminstance: number,
  itemnumber: number | null,
): Record<string, unknown> {
  return { id, itemname, itemtype, itemmodule, iteminstance, itemnumber }
}

// The values for an item without a grade were not captured.
function gradeFields(
  grade: number | null,
  at: number | null,
  feedback: string,
  format: number,
  max = 100,
): Record<string, unknown> {
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
    grademax: max,
    rangeformatted: `0&ndash;${max}`,
    percentageformatted: grade === null ? '-' : `${grade.toFixed(2)} %`,
    feedback,
    feedbackformat: format,
  }
}
