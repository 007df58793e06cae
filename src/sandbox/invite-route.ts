// Inviting recipients as JSON: the whole batch is taken, or nothing of it.

import type { FastifyInstance } from 'fastify'
import { recipientFault } from './check-recipient.ts'
import type { Course } from './courses.ts'
import { success } from './envelope.ts'
import { courseNamed, type Premises } from './premises.ts'
import { type Fields, fieldsOf, requiredText } from './read-body.ts'
import { Refusal } from './refusal.ts'

const path = '/api/certification/v1/quickIssuance/recipients/data/upload'

const flags = [
  'is_send_certification_email',
  'is_attach_certificate',
  'is_send_certificate_public_link',
  'is_hide_in_wallet',
  'is_certificate_issue_to_organisation',
]

export function addInviteRoute(app: FastifyInstance, premises: Premises): void {
  app.post(path, { onRequest: premises.gate.forBearers }, async (request) => {
    const fields = fieldsOf(request.body)
    const students = readStudents(fields, premises.settings.maxBatch)
    const course = readCourse(premises, fields)
    checkFlags(fields)
    checkStudents(students, course)
    premises.requests.add(course, students as Fields[])
    premises.journal.inviteAccepted(students.length)
    return success('Recipient data uploaded successfully.')
  })
}

// `student` is documented as optional, so an invitation without one is good and makes nothing.
function readStudents(fields: Fields, maxBatch: number): unknown[] {
  const students = fields.student ?? []
  if (!Array.isArray(students)) throw new Refusal(400, 'Bad request: student must be an array of recipient records.')
  if (students.length > maxBatch) throw new Refusal(413, `Request entity too large: more than ${maxBatch} recipients.`)
  return students
}

function readCourse(premises: Premises, fields: Fields): Course {
  const template = requiredText(fields, 'template_uuid')
  const badgeTemplate = requiredText(fields, 'badge_template_uuid')
  const course = courseNamed(premises, requiredText(fields, 'course_uuid'))
  if (course.approvalStatus !== 2) throw new Refusal(400, 'Bad request: the course is not approved.')
  if (!course.enabled) throw new Refusal(400, 'Bad request: the course is disabled.')
  if (!course.templates.some(({ uuid }) => uuid === template)) {
    throw new Refusal(400, 'Bad request: template_uuid is not a template of this course.')
  }
  if (!course.badgeTemplates.some(({ uuid }) => uuid === badgeTemplate)) {
    throw new Refusal(400, 'Bad request: badge_template_uuid is not a badge template of this course.')
  }
  return course
}

function checkFlags(fields: Fields): void {
  const wrong = flags.find((flag) => fields[flag] !== undefined && typeof fields[flag] !== 'boolean')
  if (wrong) throw new Refusal(400, `Bad request: ${wrong} must be true or false.`)
}

// Whether the service takes the good part of a batch with one bad recipient is not documented. Refusing all of it is
// the reading that a client can be held to: nothing is applied, and the position says where to look.
function checkStudents(students: readonly unknown[], course: Course): void {
  for (const [index, student] of students.entries()) {
    const fault = recipientFault(student, course.fields)
    if (fault) throw new Refusal(400, `Bad request: recipient ${index + 1}: ${fault}.`)
  }
}
