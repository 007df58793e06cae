// Inviting recipients, as JSON or by a file: the whole batch is taken, or nothing of it; with mischief, a part.

import type { Call, Endpoint, Reply } from './call.ts'
import type { Course } from './course/course.ts'
import { success } from './envelope.ts'
import { RawForm } from './form.ts'
import { judgeRecipients } from './judge-recipients.ts'
import { isTooLarge } from './mischief/too-large.ts'
import { courseNamed, type Premises } from './premises.ts'
import { type Fields, fieldsOf, requiredText } from './read-body.ts'
import { Refusal } from './refusal.ts'
import { readSheet, recipientsOf } from './upload.ts'
import { readUploadForm } from './upload-form.ts'

const path = '/api/certification/v1/quickIssuance/recipients/data/upload'

const flags = [
  'is_send_certification_email',
  'is_attach_certificate',
  'is_send_certificate_public_link',
  'is_hide_in_wallet',
  'is_certificate_issue_to_organisation',
]

export const invited = { json: success('Recipient data uploaded successfully.') }

export function inviteEndpoint(premises: Premises): Endpoint {
  return { method: 'POST', path, admits: 'bearers', invites: true, answer: (call) => invite(premises, call) }
}

function invite(premises: Premises, call: Call): Reply | Promise<Reply> {
  if (call.body instanceof RawForm) return upload(premises, call, call.body)
  const fields = fieldsOf(call.body)
  const students = readStudents(fields)
  checkSize(premises, call, students.length)
  const course = readCourse(premises, fields)
  checkFlags(fields)
  return take(premises, call, course, students, () => null)
}

async function upload(premises: Premises, call: Call, form: RawForm): Promise<Reply> {
  const { fields, file } = await readUploadForm(form)
  const sheet = await readSheet(file)
  checkSize(premises, call, sheet.rows.length)
  const course = readCourse(premises, fields)
  const uploaded = recipientsOf(sheet, course)
  const images = new Map(uploaded.map(({ student, image }) => [student, image]))
  return take(premises, call, course, [...images.keys()], (student) => images.get(student) ?? null)
}

function checkSize({ settings: { maxBatch, mischief } }: Premises, call: Call, recipients: number): void {
  if (recipients > maxBatch) throw new Refusal(413, `Request entity too large: more than ${maxBatch} recipients.`)
  if (isTooLarge(mischief, call.bytes, recipients)) throw new Refusal(413, 'Request entity too large.')
}

function take(
  premises: Premises,
  call: Call,
  course: Course,
  students: readonly unknown[],
  imageOf: (student: Fields) => string | null,
): Reply {
  const { mischief } = premises.settings
  const { good, fault } = judgeRecipients(students, course, premises.requests, mischief)
  const way = mischief.badRecipient ?? 'refuse the batch'
  if (fault && way === 'refuse the batch') throw new Refusal(400, `Bad request: ${fault}.`)

  const taken = call.portion ? call.portion(good.length).map((position) => good[position] as Fields) : good
  const made = premises.requests.add(course, taken, imageOf)
  call.committed(
    students.length,
    made.map(({ fate }) => fate.entityUuid),
  )
  if (fault && way === 'take the good, answer 400') throw new Refusal(400, `Bad request: ${fault}.`)
  return invited
}

// `student` is documented as optional, so an invitation without one is good and makes nothing.
function readStudents(fields: Fields): unknown[] {
  const students = fields.student ?? []
  if (!Array.isArray(students)) throw new Refusal(400, 'Bad request: student must be an array of recipient records.')
  return students
}

function readCourse(premises: Premises, fields: Fields): Course {
  const template = requiredText(fields, 'template_uuid')
  const badgeTemplate = requiredText(fields, 'badge_template_uuid')
  const course = courseNamed(premises, requiredText(fields, 'course_uuid'))
  if (premises.courses.standing(course).approval !== 2)
    throw new Refusal(400, 'Bad request: the course is not approved.')
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
