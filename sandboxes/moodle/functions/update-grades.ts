// core_grades_update_grades, as in captures 42 and 43: it returns 0 and stores the grade, but str_feedback is
// silently lost.

import { writeMark } from '../gradebook.ts'
import { invalidParameter } from '../moodle-error.ts'
import type { WebServiceFunction } from './web-service-function.ts'

/** `activityid` is the id of the course module. An unknown activity causes invalidparameter, which was not captured. */
export const updateGrades: WebServiceFunction = {
  parameters: ['source', 'courseid', 'component', 'activityid', 'itemnumber', 'grades', 'itemdetails'],
  answer({ args, site, journal, now }) {
    for (const name of ['source', 'itemnumber']) args.text(name)
    const course = site.course(args.integer('courseid'))
    const item = course.assignment?.item
    const isItem = args.text('component') === 'mod_assign' && args.integer('activityid') === item?.cmid
    if (!item || !isItem) throw invalidParameter()
    const grades = args.structures('grades').map((grade) => {
      grade.refuseOthers(['studentid', 'grade', 'str_feedback'])
      return { learner: site.learner(grade.integer('studentid')), grade: grade.decimal('grade') }
    })
    for (const { learner, grade } of grades) {
      const before = item.marks.get(learner.id)
      writeMark(site, item.marks, learner.id, {
        grade,
        feedback: before?.feedback ?? '',
        feedbackFormat: before?.feedbackFormat ?? 2,
        at: now,
      })
      journal.record({ kind: 'wrote', what: 'gradebook', learner: learner.id })
    }
    return 0
  },
}
