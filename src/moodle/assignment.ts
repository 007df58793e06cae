// Grade and comment of a learner in an assignment: where a learner sees the credential beside the course.

import { z } from 'zod'
import type { Call } from './call.ts'
import { type Html, showsTheSame } from './html.ts'
import { MoodleRecordError } from './moodle-record-error.ts'
import type { Written } from './written.ts'

export interface AssignmentEntry {
  courseId: number
  /** The ID number in the settings of the assignment, or its own id (not the one in the address of its page). */
  assignment: { cmIdnumber: string } | { id: number }
  userId: number
  /** In points of the assignment. One graded with a rubric ignores it. */
  grade: number
  /** Made with the tag `html`, which escapes every value. */
  comment: Html
}

const gradeItems = z.object({
  usergrades: z.array(
    z.object({
      gradeitems: z.array(
        z.object({
          itemmodule: z.string().nullish(),
          iteminstance: z.number().nullish(),
          idnumber: z.string().nullish(),
          feedback: z.string().nullish(),
        }),
      ),
    }),
  ),
})

const grades = z.object({
  assignments: z.array(
    z.object({
      assignmentid: z.number(),
      grades: z.array(z.object({ userid: z.number(), attemptnumber: z.number(), grade: z.string() })),
    }),
  ),
})

const itemsFunction = 'gradereport_user_get_grade_items'
/** Moodle's number for text that is HTML. */
const htmlFormat = 1
/** Moodle keeps five decimals. */
const exactness = 0.000005

/**
 * Writes grade and comment for the learner's latest attempt and reads both back: the grade from the assignment (`mod_assign_get_grades`, which
 * holds no comments), the comment from the learner's grade report, where words and links are compared. Nothing is written when
 * both are there already. Moodle answers `null` to every save, so `refused` does not occur; what was not kept comes back
 * in `differs` as `grade` or `comment`, as when the comments are switched off or the grade is overridden.
 *
 * Throws MoodleRecordError `noassignment` when the learner's grade report shows no assignment with the ID number.
 */
export async function writeAssignment(call: Call, entry: AssignmentEntry): Promise<Written> {
  const { id, feedback } = await findAssignment(call, entry)
  if (showsTheSame(feedback, entry.comment.markup) && (await hasGrade(call, id, entry))) return { kind: 'verified' }
  await save(call, id, entry)
  const fields: string[] = []
  if (!(await hasGrade(call, id, entry))) fields.push('grade')
  const after = await findAssignment(call, entry)
  if (!showsTheSame(after.feedback, entry.comment.markup)) fields.push('comment')
  return fields.length === 0 ? { kind: 'verified' } : { kind: 'differs', fields }
}

/** The grade report of one learner holds the ID numbers of activities; the lists of activities do not. */
async function findAssignment(
  call: Call,
  { courseId, userId, assignment }: AssignmentEntry,
): Promise<{ id: number; feedback: string }> {
  const { usergrades } = await call(itemsFunction, { courseid: courseId, userid: userId }, gradeItems)
  const items = usergrades.flatMap((each) => each.gradeitems).filter((each) => each.itemmodule === 'assign')
  const item = items.find((each) =>
    'id' in assignment ? each.iteminstance === assignment.id : each.idnumber === assignment.cmIdnumber,
  )
  const id = 'id' in assignment ? assignment.id : item?.iteminstance
  if (id === null || id === undefined) throw new MoodleRecordError(itemsFunction, 'noassignment')
  return { id, feedback: item?.feedback ?? '' }
}

async function hasGrade(call: Call, id: number, { userId, grade }: AssignmentEntry): Promise<boolean> {
  const { assignments } = await call('mod_assign_get_grades', { assignmentids: [id] }, grades, 'long')
  const own = assignments
    .filter((each) => each.assignmentid === id)
    .flatMap((each) => each.grades)
    .filter((each) => each.userid === userId)
    .sort((a, b) => b.attemptnumber - a.attemptnumber)[0]
  return own !== undefined && Math.abs(Number(own.grade) - grade) < exactness
}

async function save(call: Call, id: number, { userId, grade, comment }: AssignmentEntry): Promise<void> {
  const entry = {
    assignmentid: id,
    userid: userId,
    grade,
    attemptnumber: -1,
    addattempt: false,
    // Where the assignment has a marking workflow, learners see nothing before this state; elsewhere it is ignored.
    workflowstate: 'released',
    applytoall: false,
    plugindata: { assignfeedbackcomments_editor: { text: comment.markup, format: htmlFormat } },
  }
  await call('mod_assign_save_grade', entry, z.unknown())
}
