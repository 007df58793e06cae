// core_course_get_courses_by_field, as in captures 01 and 01b: it can filter by idnumber, but the response
// does not contain the idnumber.

import { invalidParameter } from '../moodle-error.ts'
import type { SiteCourse } from '../records.ts'
import { shownName } from '../site-text.ts'
import type { WebServiceCall, WebServiceFunction } from './web-service-function.ts'

export const coursesByField: WebServiceFunction = {
  parameters: ['field', 'value'],
  answer: (call) => ({ courses: matchingCourses(call).map((course) => courseJson(course, call)), warnings: [] }),
}

/** The sandbox knows one of Moodle's fields. */
function matchingCourses({ args, site }: WebServiceCall): SiteCourse[] {
  if (args.text('field') !== 'idnumber') throw invalidParameter()
  const value = args.text('value')
  return [...site.courses.values()].filter(({ idnumber }) => idnumber === value)
}

function courseJson(course: SiteCourse, { site, raw }: WebServiceCall): Record<string, unknown> {
  const name = (text: string) => (raw ? text : shownName(text))
  return {
    id: course.id,
    fullname: name(course.fullname),
    displayname: name(course.fullname),
    shortname: name(course.shortname),
    courseimage: `${site.url}/pluginfile.php/${course.contextid}/course/generated/course.svg`,
    categoryid: 1,
    categoryname: 'Category 1',
    sortorder: 9_998 + course.id,
    summary: '',
    summaryformat: 0,
    summaryfiles: [],
    overviewfiles: [],
    showactivitydates: false,
    showcompletionconditions: true,
    contacts: [],
    enrollmentmethods: ['manual'],
    format: 'topics',
    showgrades: 1,
    newsitems: 1,
    startdate: 0,
    enddate: 0,
    maxbytes: 0,
    showreports: 0,
    visible: 1,
    groupmode: course.separateGroups ? 1 : 0,
    groupmodeforce: 0,
    defaultgroupingid: 0,
    enablecompletion: 1,
    completionnotify: 0,
    lang: '',
    theme: '',
    marker: 0,
    filters: ['displayh5p', 'activitynames', 'mathjaxloader', 'emoticon', 'urltolink', 'mediaplugin'].map((filter) => ({
      filter,
      localstate: 0,
      inheritedstate: 1,
    })),
    courseformatoptions: [
      { name: 'hiddensections', value: 1 },
      { name: 'coursedisplay', value: 0 },
      { name: 'indentation', value: '1' },
    ],
  }
}
