// core_enrol_get_enrolled_users. The error is from capture 02; the fields are those of section 1.1, in the order of
// Moodle's source (enrol/externallib.php).

import { contextNotValid, noPermission } from '../moodle-error.ts'
import type { SiteLearner } from '../records.ts'
import { shownName } from '../site-text.ts'
import { customFieldsOf, detailsOf, isVisible, namesOf, picturesOf } from './learner-fields.ts'
import type { WebServiceCall, WebServiceFunction } from './web-service-function.ts'

export const enrolledUsers: WebServiceFunction = {
  parameters: ['courseid', 'options'],
  answer(call) {
    const { args, site, may } = call
    const options = new Map(args.structures('options').map((option) => [option.text('name'), option.text('value')]))
    const course = site.course(args.integer('courseid'))
    if (!may('moodle/course:view')) throw contextNotValid()
    if (!may('moodle/course:viewparticipants')) throw noPermission('View participants')
    const asksForActive = ['onlyactive', 'onlysuspended'].some((name) => (options.get(name) ?? '0') !== '0')
    if (asksForActive && !may('moodle/course:enrolreview')) throw noPermission('Review course enrolments')
    if ((options.get('onlysuspended') ?? '0') !== '0') return []
    if (course.separateGroups && !may('moodle/site:accessallgroups')) return []
    const requestedFields = options.get('userfields')?.split(',') ?? null
    const from = Number(options.get('limitfrom') ?? 0)
    const limit = Number(options.get('limitnumber') ?? 0)
    return [...course.enrolled]
      .sort((a, b) => a - b)
      .slice(from, limit > 0 ? from + limit : undefined)
      .filter((id) => isVisible(call, id))
      .map((id) => userJson(site.learner(id), call, requestedFields))
  },
}

// With the option userfields, only these fields are returned, plus the id and the full name in any case.
function userJson(
  learner: SiteLearner,
  { site, may }: WebServiceCall,
  requestedFields: readonly string[] | null,
): Record<string, unknown> {
  const courses = [...site.courses.values()].filter(({ enrolled }) => enrolled.has(learner.id))
  const email = may('moodle/course:useremail') || may('moodle/site:viewuseridentity')
  const visible = { names: may('moodle/site:viewfullnames'), email, details: may('moodle/user:viewalldetails') }
  const allFields: Record<string, unknown> = {
    ...namesOf(learner, visible),
    ...detailsOf(learner, visible),
    firstaccess: 0,
    lastaccess: 0,
    lastcourseaccess: 0,
    ...picturesOf(site),
    ...(visible.details && customFieldsOf(site, learner)),
    roles: [{ roleid: 5, name: '', shortname: 'student', sortorder: 0 }],
    enrolledcourses: courses.map(({ id, fullname, shortname }) => ({
      id,
      fullname: shownName(fullname),
      shortname: shownName(shortname),
    })),
  }
  if (requestedFields === null) return allFields
  const kept = ['id', 'fullname', ...requestedFields]
  return Object.fromEntries(Object.entries(allFields).filter(([name]) => kept.includes(name)))
}
