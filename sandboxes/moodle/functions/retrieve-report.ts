// core_reportbuilder_retrieve_report for one custom report, "Course participants", as in capture 45.

import { courseTotal } from '../gradebook.ts'
import { missingRecord, noReport } from '../moodle-error.ts'
import type { SiteCourse, SiteLearner } from '../records.ts'
import { adminId } from '../site.ts'
import { reportWords, shownCell, shownTime } from '../site-text.ts'
import type { WebServiceCall, WebServiceFunction } from './web-service-function.ts'

/** The id of the only report. */
export const reportId = 1

export const retrieveReport: WebServiceFunction = {
  parameters: ['reportid', 'page', 'perpage'],
  answer(call) {
    const { args, settings } = call
    if (args.integer('reportid') !== reportId) throw missingRecord('reportbuilder_report')
    if (!call.may('moodle/reportbuilder:view') || !call.may('moodle/reportbuilder:viewall')) throw noReport()
    const page = args.has('page') ? args.integer('page') : 0
    const perPage = args.has('perpage') ? args.integer('perpage') : 10
    const rows = allRows(call)
    return {
      details: detailsOf(call.site.url),
      data: {
        headers: reportWords[settings.language].headers,
        rows: rows.slice(page * perPage, (page + 1) * perPage).map((columns) => ({ columns: columns.map(shownCell) })),
        totalrowcount: rows.length,
      },
      warnings: [],
    }
  },
}

// As in the capture, each course adds two rows without a user: one for each enrollment method without participants.
function allRows(call: WebServiceCall): string[][] {
  return [...call.site.courses.values()].flatMap((course) => {
    const empty = ['', '', '', '', '', course.idnumber, course.shortname, '', '', '']
    const people = [...course.enrolled].map((id) => rowOf(call.site.learner(id), course, call))
    return [...people, empty, empty]
  })
}

function rowOf(learner: SiteLearner, course: SiteCourse, call: WebServiceCall): string[] {
  const { language } = call.settings
  const completion = course.progress.get(learner.id)?.completion
  return [
    learner.idnumber,
    learner.username,
    learner.email,
    learner.firstname,
    learner.lastname,
    course.idnumber,
    course.shortname,
    completion ? reportWords[language].yes : '',
    completion ? shownTime(completion.at, language) : '',
    courseTotal(course, learner)?.grade.toFixed(2) ?? '',
  ]
}

function detailsOf(url: string): Record<string, unknown> {
  const picture = `${url}/theme/image.php/boost/core/1795219357/u`
  return {
    name: 'Completions for credentials',
    source: 'core_course\\reportbuilder\\datasource\\participants',
    type: 0,
    uniquerows: false,
    conditiondata: null,
    settingsdata: null,
    contextid: 1,
    component: '',
    area: '',
    itemid: 0,
    usercreated: adminId,
    id: reportId,
    timecreated: 1795219336,
    timemodified: 1795219336,
    usermodified: adminId,
    sourcename: 'Course participants',
    tags: [],
    modifiedby: {
      id: adminId,
      email: 'admin@lab.example',
      idnumber: '',
      phone1: '',
      phone2: '',
      department: '',
      institution: '',
      fullname: 'Admin User',
      identity: 'admin@lab.example',
      profileurl: `${url}/user/profile.php?id=${adminId}`,
      profileimageurl: `${picture}/f1`,
      profileimageurlsmall: `${picture}/f2`,
    },
  }
}
