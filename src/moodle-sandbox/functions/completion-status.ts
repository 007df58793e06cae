// core_completion_get_course_completion_status, as captures 03 to 06: it has no time of the course itself.

import { noCriteria, notEnrolled } from '../moodle-error.ts'
import type { Criterion } from '../records.ts'
import { shownName } from '../site-text.ts'
import type { WebServiceFunction } from './web-service-function.ts'

export const completionStatus: WebServiceFunction = {
  parameters: ['courseid', 'userid'],
  answer({ args, site }) {
    const course = site.course(args.integer('courseid'))
    const learner = site.learner(args.integer('userid'))
    if (!course.enrolled.has(learner.id)) throw notEnrolled()
    if (course.criteria.length === 0) throw noCriteria()
    const progress = course.progress.get(learner.id)
    return {
      completionstatus: {
        completed: progress?.completion !== null && progress?.completion !== undefined,
        aggregation: 1,
        completions: course.criteria.map((criterion) =>
          shown(criterion, progress?.ticks.get(criterion.cmid) ?? null, site.url),
        ),
      },
      warnings: [],
    }
  },
}

function shown({ cmid, title }: Criterion, timecompleted: number | null, url: string): Record<string, unknown> {
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
