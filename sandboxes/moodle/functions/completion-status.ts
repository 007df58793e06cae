// core_completion_get_course_completion_status, as in captures 03 to 06: the response has no completion time for
// the course itself.

import { hiddenGroup, noCompletionReport, noCriteria, notAccessible, notEnrolled } from '../moodle-error.ts'
import type { Criterion } from '../records.ts'
import { shownName } from '../site-text.ts'
import type { WebServiceFunction } from './web-service-function.ts'

export const completionStatus: WebServiceFunction = {
  parameters: ['courseid', 'userid'],
  answer({ args, site, may }) {
    const course = site.course(args.integer('courseid'))
    if (!may('moodle/course:view')) throw notAccessible()
    if (!may('report/completion:view')) throw noCompletionReport()
    const learner = site.learner(args.integer('userid'))
    if (!course.enrolled.has(learner.id) || course.teachers.has(learner.id)) throw notEnrolled()
    if (course.separateGroups && !may('moodle/site:accessallgroups')) throw hiddenGroup()
    if (course.criteria.length === 0) throw noCriteria()
    const progress = course.progress.get(learner.id)
    return {
      completionstatus: {
        completed: progress?.completion !== null && progress?.completion !== undefined,
        aggregation: 1,
        completions: course.criteria.map((criterion) =>
          criterionJson(criterion, progress?.ticks.get(criterion.cmid) ?? null, site.url),
        ),
      },
      warnings: [],
    }
  },
}

function criterionJson({ cmid, title }: Criterion, timecompleted: number | null, url: string): Record<string, unknown> {
  const complete = timecompleted !== null
  return {
    type: 4,
    title: 'Activity completion',
    status: complete ? 'Yes' : 'No',
    complete,
    timecompleted,
    details: {
      type: 'Activity completion',
      criteria: `<a href="${url}/mod/page/view.php?id=${cmid}">${shownName(title)}</a>`,
      requirement: 'Marking yourself complete',
      status: '',
    },
  }
}
