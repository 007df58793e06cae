// mod_assign_get_assignments. Fields and warnings are from Moodle's source (mod/assign/externallib.php) and were not
// captured. The account is not enrolled in any course, so includenotenrolledcourses must be 1. The response does not
// contain the ID number of an activity.

import type { Assignment, SiteCourse } from '../records.ts'
import { shownName } from '../site-text.ts'
import type { WebServiceFunction } from './web-service-function.ts'

export const getAssignments: WebServiceFunction = {
  parameters: ['courseids', 'capabilities', 'includenotenrolledcourses'],
  answer({ args, site }) {
    const ids = args.integers('courseids')
    const others = args.has('includenotenrolledcourses') && args.integer('includenotenrolledcourses') === 1
    if (!others) return { courses: [], warnings: ids.map((id) => warning(id, '2', notEnrolledMessage)) }
    const found = ids.map((id) => ({ id, course: site.courses.get(id) }))
    return {
      courses: found.flatMap(({ course }) => (course ? [courseJson(course)] : [])),
      warnings: found.flatMap(({ id, course }) =>
        course ? [] : [warning(id, '1', 'No access rights in course context')],
      ),
    }
  },
}

const notEnrolledMessage = 'User is not enrolled or does not have requested capability'

function warning(itemid: number, warningcode: string, message: string): Record<string, unknown> {
  return { item: 'course', itemid, warningcode, message }
}

function courseJson(course: SiteCourse): Record<string, unknown> {
  return {
    id: course.id,
    fullname: shownName(course.fullname),
    shortname: shownName(course.shortname),
    timemodified: 1795219305,
    assignments: course.assignment ? [assignmentJson(course.assignment, course.id)] : [],
  }
}

function assignmentJson({ id, item }: Assignment, course: number): Record<string, unknown> {
  return {
    id,
    cmid: item.cmid,
    course,
    name: shownName(item.name),
    nosubmissions: 1,
    submissiondrafts: 0,
    sendnotifications: 0,
    sendlatenotifications: 0,
    sendstudentnotifications: 1,
    duedate: 0,
    allowsubmissionsfromdate: 0,
    grade: 100,
    timemodified: 1795219305,
    completionsubmit: 0,
    cutoffdate: 0,
    gradingduedate: 0,
    teamsubmission: 0,
    requireallteammemberssubmit: 0,
    teamsubmissiongroupingid: 0,
    blindmarking: 0,
    hidegrader: 0,
    revealidentities: 0,
    attemptreopenmethod: 'none',
    maxattempts: -1,
    markingworkflow: 0,
    markingallocation: 0,
    requiresubmissionstatement: 0,
    preventsubmissionnotingroup: 0,
    configs: [{ plugin: 'comments', subtype: 'assignfeedback', name: 'enabled', value: '1' }],
    intro: '',
    introformat: 1,
    introfiles: [],
    introattachments: [],
  }
}
