// mod_assign_save_grade and mod_assign_get_grades, as captures 40 and 41.

import type { Arguments } from '../arguments.ts'
import { writeMark } from '../gradebook.ts'
import { accountId } from '../site.ts'
import type { WebServiceFunction } from './web-service-function.ts'

const required = ['assignmentid', 'userid', 'grade', 'attemptnumber', 'addattempt', 'workflowstate', 'applytoall']

/**
 * Answers null. The first seven arguments have no defaults in Moodle's declaration. An unknown assignment or user is
 * invalidrecord here; that was not captured.
 */
export const saveGrade: WebServiceFunction = {
  parameters: [...required, 'plugindata', 'advancedgradingdata'],
  answer({ args, site, journal, now }) {
    for (const name of required) args.text(name)
    const comment = readComment(args)
    const grade = args.decimal('grade')
    const assignment = site.assignment(args.integer('assignmentid'))
    const learner = site.learner(args.integer('userid'))
    // A grade of -1 is none.
    const mark = { grade: grade < 0 ? null : grade, feedback: comment, feedbackFormat: 1, at: now }
    writeMark(site, assignment.grades, learner.id, mark)
    writeMark(site, assignment.item.marks, learner.id, mark)
    journal.did({ kind: 'wrote', what: 'assignment grade', learner: learner.id })
    return null
  },
}

function readComment(args: Arguments): string {
  const editor = args.part('plugindata')?.part('assignfeedbackcomments_editor')
  if (!editor) return ''
  editor.only(['text', 'format'])
  editor.integer('format')
  return editor.text('text')
}

/** The comment is not in the answer: it is read in the grade report. */
export const getGrades: WebServiceFunction = {
  parameters: ['assignmentids', 'since'],
  answer({ args, site }) {
    const since = args.has('since') ? args.integer('since') : 0
    const found = args.integers('assignmentids').map((id) => ({ id, grades: gradesSince(id, since) }))
    return {
      assignments: found
        .filter(({ grades }) => grades.length > 0)
        .map(({ id, grades }) => ({ assignmentid: id, grades })),
      // From Moodle's source, mod/assign/externallib.php.
      warnings: found
        .filter(({ grades }) => grades.length === 0)
        .map(({ id }) => ({ item: 'assignment', itemid: id, warningcode: '3', message: 'No grades found' })),
    }

    function gradesSince(id: number, from: number): Record<string, unknown>[] {
      const assignment = site.courses.values().find((course) => course.assignment?.id === id)?.assignment
      return [...(assignment?.grades ?? [])]
        .filter(([, mark]) => mark.modifiedAt >= from)
        .map(([userid, mark]) => ({
          id: mark.id,
          userid,
          attemptnumber: 0,
          timecreated: mark.createdAt,
          timemodified: mark.modifiedAt,
          grader: accountId,
          grade: mark.grade === null ? '-1.00000' : mark.grade.toFixed(5),
        }))
    }
  },
}
