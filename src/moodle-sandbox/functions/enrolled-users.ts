// core_enrol_get_enrolled_users. Its refusal is capture 02; its fields are those of section 1.1, in the order of Moodle's
// source (enrol/externallib.php).

import { noPermission } from '../moodle-error.ts'
import type { Learner } from '../records.ts'
import { shownName } from '../site-text.ts'
import { customFieldsOf, namesOf, picturesOf } from './shown-learner.ts'
import type { WebServiceCall, WebServiceFunction } from './web-service-function.ts'

export const enrolledUsers: WebServiceFunction = {
  parameters: ['courseid', 'options'],
  answer(call) {
    const { args, site, settings } = call
    const options = new Map(args.each('options').map((option) => [option.text('name'), option.text('value')]))
    const course = site.course(args.integer('courseid'))
    const asksForActive = ['onlyactive', 'onlysuspended'].some((name) => (options.get(name) ?? '0') !== '0')
    if (asksForActive && !settings.reviewsEnrolments) throw noPermission('Review course enrolments')
    if ((options.get('onlysuspended') ?? '0') !== '0') return []
    const wanted = options.get('userfields')?.split(',') ?? null
    const from = Number(options.get('limitfrom') ?? 0)
    const limit = Number(options.get('limitnumber') ?? 0)
    return [...course.enrolled]
      .sort((a, b) => a - b)
      .slice(from, limit > 0 ? from + limit : undefined)
      .map((id) => shown(site.learner(id), call, wanted))
  },
}

// With userfields only these come, and always the number and the full name.
function shown(learner: Learner, { site }: WebServiceCall, wanted: readonly string[] | null): Record<string, unknown> {
  const courses = [...site.courses.values()].filter(({ enrolled }) => enrolled.has(learner.id))
  const whole = {
    ...namesOf(learner),
    idnumber: learner.idnumber,
    firstaccess: 0,
    lastaccess: 0,
    lastcourseaccess: 0,
    ...picturesOf(site),
    ...customFieldsOf(site, learner),
    roles: [{ roleid: 5, name: '', shortname: 'student', sortorder: 0 }],
    enrolledcourses: courses.map(({ id, fullname, shortname }) => ({
      id,
      fullname: shownName(fullname),
      shortname: shownName(shortname),
    })),
  }
  if (wanted === null) return whole
  const kept = ['id', 'fullname', ...wanted]
  return Object.fromEntries(Object.entries(whole).filter(([name]) => kept.includes(name)))
}
