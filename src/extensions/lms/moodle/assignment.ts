// Writes a grade and a comment for a learner into a Moodle assignment, so that learners see the credential in the
// course. Calls Moodle's web services.

import { z } from 'zod'
import type { MoodleCall } from './call.ts'
import { classifyErrorCode } from './classify-error-code.ts'
import { type Html, showsTheSame } from './html.ts'
import { MoodleRecordError } from './moodle-error.ts'
import type { MoodleWriteResult } from './profile.ts'

/** Where a learner has a grade. */
interface AssignmentOfLearner {
  courseId: number
  /** The ID number in the settings of the assignment. */
  assignment: string
  userId: number
}

export interface AssignmentEntry extends AssignmentOfLearner {
  /** In points of the assignment. An assignment that is graded with a rubric ignores this value. */
  grade: number
  /** Built with the tag `moodleHtml`, which escapes every value. */
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
  warnings: z.array(z.object({ itemid: z.number().nullish(), warningcode: z.string() })).nullish(),
})

/** The warning code of Moodle for an account that may not read grades. Moodle then returns no grades and no error. */
const noPermissionWarning = '1'
const itemsFunction = 'gradereport_user_get_grade_items'
const gradesFunction = 'mod_assign_get_grades'
/** Moodle's number for the text format HTML. */
const htmlFormat = 1
/** Moodle stores five decimals. */
const gradeTolerance = 0.000005

/**
 * Writes grade and comment for the learner's latest attempt and reads both back: the grade from the assignment
 * (`mod_assign_get_grades`, which has no comments), the comment from the learner's grade report, where text and links
 * are compared. Nothing is written when both are already there. Moodle returns `null` for every save, so the result is
 * never `refused`. A grade or comment that was not stored is listed in `differs`, for example when comments are
 * disabled or the grade is overridden.
 * @throws MoodleRecordError `noassignment` when the learner's grade report shows no assignment with the ID number;
 * MoodleRefusedError `nopermissions` when the account may not read its grades, although they may have been written
 */
export async function writeAssignment(call: MoodleCall, entry: AssignmentEntry): Promise<MoodleWriteResult> {
  try {
    return await writeAndReadBack(call, entry)
  } catch (error) {
    // According to Moodle's source: core_user::require_active_user.
    if (error instanceof MoodleRecordError && error.errorcode === 'userdeleted') return { kind: 'account_deleted' }
    throw error
  }
}

async function writeAndReadBack(call: MoodleCall, entry: AssignmentEntry): Promise<MoodleWriteResult> {
  const { id, feedback } = await findAssignment(call, entry)
  if (showsTheSame(feedback, entry.comment.markup) && (await hasGrade(call, id, entry))) return { kind: 'verified' }
  await save(call, id, entry)
  const fields: string[] = []
  if (!(await hasGrade(call, id, entry))) fields.push('grade')
  const after = await findAssignment(call, entry)
  if (!showsTheSame(after.feedback, entry.comment.markup)) fields.push('comment')
  return fields.length === 0 ? { kind: 'verified' } : { kind: 'differs', fields }
}

/**
 * Finds the assignment in the grade report of one learner. Writes nothing.
 * @returns whether the account may read the grades of the assignment
 * @throws MoodleRecordError `noassignment`
 */
export async function mayReadGrades(call: MoodleCall, entry: AssignmentOfLearner): Promise<boolean> {
  const { id } = await findAssignment(call, entry)
  return !isHidden(id, await call(gradesFunction, { assignmentids: [id] }, grades, 'long'))
}

function isHidden(id: number, { warnings }: z.infer<typeof grades>): boolean {
  return warnings?.some(({ itemid, warningcode }) => itemid === id && warningcode === noPermissionWarning) === true
}

/** Finds the assignment in a learner's grade report, because the lists of activities contain no ID numbers. */
async function findAssignment(
  call: MoodleCall,
  { courseId, userId, assignment }: AssignmentOfLearner,
): Promise<{ id: number; feedback: string }> {
  const { usergrades } = await call(itemsFunction, { courseid: courseId, userid: userId }, gradeItems)
  const item = usergrades
    .flatMap(({ gradeitems }) => gradeitems)
    .find(({ itemmodule, idnumber }) => itemmodule === 'assign' && idnumber === assignment)
  const id = item?.iteminstance
  if (id === null || id === undefined) throw new MoodleRecordError(itemsFunction, 'noassignment')
  return { id, feedback: item?.feedback ?? '' }
}

async function hasGrade(call: MoodleCall, id: number, { userId, grade }: AssignmentEntry): Promise<boolean> {
  const answer = await call(gradesFunction, { assignmentids: [id] }, grades, 'long')
  if (isHidden(id, answer)) throw classifyErrorCode(gradesFunction, 'nopermissions')
  const ownGrade = answer.assignments
    .filter((assignment) => assignment.assignmentid === id)
    .flatMap((assignment) => assignment.grades)
    .filter((each) => each.userid === userId)
    .sort((a, b) => b.attemptnumber - a.attemptnumber)[0]
  return ownGrade !== undefined && Math.abs(Number(ownGrade.grade) - grade) < gradeTolerance
}

async function save(call: MoodleCall, id: number, { userId, grade, comment }: AssignmentEntry): Promise<void> {
  const entry = {
    assignmentid: id,
    userid: userId,
    grade,
    attemptnumber: -1,
    addattempt: false,
    // In an assignment with a marking workflow, learners see the grade only in this state. Other assignments ignore it.
    workflowstate: 'released',
    applytoall: false,
    plugindata: { assignfeedbackcomments_editor: { text: comment.markup, format: htmlFormat } },
  }
  await call('mod_assign_save_grade', entry, z.unknown())
}
