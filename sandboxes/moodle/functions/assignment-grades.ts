// mod_assign_save_grade and mod_assign_get_grades, as in captures 40 and 41.

import type { PostedArguments } from '../arguments.ts'
import { writeMark } from '../gradebook.ts'
import { noPermission, notAccessible } from '../moodle-error.ts'
import { accountId } from '../site.ts'
import type { WebServiceFunction } from './web-service-function.ts'

const required = ['assignmentid', 'userid', 'grade', 'attemptnumber', 'addattempt', 'workflowstate', 'applytoall']

/**
 * Returns null. The first seven arguments have no defaults in Moodle's declaration. An unknown assignment or user
 * causes invalidrecord, which was not captured.
 */
export const saveGrade: WebServiceFunction = {
  parameters: [...required, 'plugindata', 'advancedgradingdata'],
  answer({ args, site, journal, now, may }) {
    for (const name of required) args.text(name)
    const comment = readComment(args)
    const grade = args.decimal('grade')
    const assignment = site.assignment(args.integer('assignmentid'))
    if (!may('mod/assign:view')) throw notAccessible()
    if (!may('mod/assign:grade')) throw noPermission('Grade assignment')
    const learner = site.learner(args.integer('userid'))
    // A grade of -1 means no grade.
    const mark = { grade: grade < 0 ? null : grade, feedback: comment, feedbackFormat: 1, at: now }
    writeMark(site, assignment.grades, learner.id, mark)
    writeMark(site, assignment.item.marks, learner.id, mark)
    journal.record({ kind: 'wrote', what: 'assignment grade', learner: learner.id })
    return null
  },
}

function readComment(args: PostedArguments): string {
  const editor = args.structure('plugindata')?.structure('assignfeedbackcomments_editor')
  if (!editor) return ''
  editor.refuseOthers(['text', 'format'])
  editor.integer('format')
  return editor.text('text')
}

/** The response does not contain the comment, which only the grade report shows. */
export const getGrades: WebServiceFunction = {
  parameters: ['assignmentids', 'since'],
  answer({ args, site, may }) {
    const since = args.has('since') ? args.integer('since') : 0
    const isAllowed = may('mod/assign:view') && may('mod/assign:viewgrades')
    const found = args.integers('assignmentids').map((id) => ({ id, grades: isAllowed ? gradesSince(id, since) : [] }))
    // From Moodle's source, mod/assign/externallib.php.
    const why = isAllowed
      ? { warningcode: '3', message: 'No grades found' }
      : { warningcode: '1', message: 'No access rights in module context' }
    return {
      assignments: found
        .filter(({ grades }) => grades.length > 0)
        .map(({ id, grades }) => ({ assignmentid: id, grades })),
      warnings: found
        .filter(({ grades }) => grades.length === 0)
        .map(({ id }) => ({ item: 'assignment', itemid: id, ...why })),
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
