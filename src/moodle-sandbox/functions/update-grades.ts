// core_grades_update_grades, as captures 42 and 43: it answers 0, the grade is there, and str_feedback is lost in silence.

import { writeMark } from '../gradebook.ts'
import { invalidParameter } from '../moodle-error.ts'
import type { WebServiceFunction } from './web-service-function.ts'

/** `activityid` is the course module's number. An activity that is not there is invalidparameter; that was not captured. */
export const updateGrades: WebServiceFunction = {
  parameters: ['source', 'courseid', 'component', 'activityid', 'itemnumber', 'grades', 'itemdetails'],
  answer({ args, site, journal, now }) {
    for (const name of ['source', 'itemnumber']) args.text(name)
    const course = site.course(args.integer('courseid'))
    const item = course.assignment?.item
    const fits = args.text('component') === 'mod_assign' && args.integer('activityid') === item?.cmid
    if (!item || !fits) throw invalidParameter()
    const grades = args.each('grades').map((grade) => {
      grade.only(['studentid', 'grade', 'str_feedback'])
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
      journal.did({ kind: 'wrote', what: 'gradebook', learner: learner.id })
    }
    return 0
  },
}
