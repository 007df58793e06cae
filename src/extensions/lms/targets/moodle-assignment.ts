// The target kind that delivers a grade with a comment to an assignment of a Moodle course, over the network.

import { z } from 'zod'
import { systemName } from '#config/source-settings.ts'
import { MoodleRecordError } from '#src/extensions/lms/moodle/moodle-error.ts'
import { capabilitiesFor } from '#src/extensions/lms/moodle/privileges.ts'
import { moodleSystem } from '#src/extensions/lms/systems/moodle.ts'
import { commentOf } from './credential-text.ts'
import { deliveryFailure } from './delivery-failure.ts'
import { moodleOutcome } from './moodle-outcome.ts'
import { type DueWithLearner, defineTarget } from './target-kind.ts'

const noCourse =
  'Moodle shows no course with the ID number of the completed course: the course was deleted, has a different ID number now, or is hidden from the account. Correct the course in Moodle; the deliveries for the course wait until then.'

export const moodleAssignment = defineTarget({
  to: 'moodle-assignment',
  settings: z
    .strictObject({
      to: z.literal('moodle-assignment').describe('A grade with a comment in an assignment.'),
      system: systemName.describe('The Moodle site.'),
      assignment: z.string().min(1).describe('The ID number of the assignment.'),
      grade: z.number().min(0).default(100).describe('The grade for a credential.'),
    })
    .describe('An assignment of the course in Moodle.'),
  system: { type: 'moodle', part: 'assignment', sentence: 'moodle-assignment needs one of type moodle' },
  showsOne: true,
  name: ({ system, assignment }) => `moodle-assignment ${system} ${assignment}`,
  describe: ({ system, assignment }) => `the assignment ${assignment} of ${system}`,
  propertiesToShow: (_, requestsPublicLink) => (requestsPublicLink ? ['link'] : []),
  async deliver({ learning }, { system, assignment, grade }, due: DueWithLearner) {
    const moodle = learning.client(moodleSystem, system)
    const comment = commentOf(due)
    if (!comment) return { kind: 'written' }
    const course = await moodle.courseByIdnumber(due.completion.course)
    if (!course) return deliveryFailure('refused', noCourse)
    const userId = Number(due.completion.learner)
    const entry = { courseId: course.id, assignment, userId, grade, comment }
    return moodleOutcome(
      await moodle.writeAssignment(entry),
      'feedback comments are disabled, the assignment is not graded in points, its maximum is too low, or the grade was overridden in the gradebook',
    )
  },
  // Only the first delivery shows whether the account may write to the assignment.
  check: {
    name: 'assignment',
    async run({ learning, pipeline, course }, { system, assignment }) {
      if (course.learner === null)
        return [
          {
            what: `${assignment} of ${course.code} was not checked, because no learner of the course is visible`,
            notice: 'run `credsync check` again once a learner of the course is visible',
          },
        ]
      const moodle = learning.client(moodleSystem, system)
      const entry = { courseId: Number(course.id), userId: Number(course.learner) }
      try {
        const isReadable = await moodle.mayReadGrades({ ...entry, assignment })
        if (isReadable)
          return [
            {
              what: `${assignment} is in ${course.code}`,
              notice:
                'only the first delivery will show whether the role may grade the assignment, which requires mod/assign:grade and moodle/grade:edit',
            },
          ]
        const remedy = `Give the role of the account ${capabilitiesFor('mod_assign_get_grades')}`
        return [{ what: `the account may not read the grades of ${assignment}`, remedy }]
      } catch (error) {
        if (!(error instanceof MoodleRecordError && error.errorcode === 'noassignment')) throw error
        return [
          {
            what: `${course.code} shows no assignment with the ID number ${assignment} (writeBack of pipelines.${pipeline})`,
            remedy:
              'Set “ID number” in the settings of the assignment, under “Common module settings”, or correct `assignment` in writeBack',
          },
        ]
      }
    },
  },
})
