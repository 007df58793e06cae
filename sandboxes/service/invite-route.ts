// The invitation endpoint, for JSON and for file uploads: applies the whole batch or nothing, or with faults a part of
// it.

import type { SandboxCall, SandboxEndpoint, SandboxReply } from './call.ts'
import { firstInvalidRecipient } from './check-recipients.ts'
import type { CourseRecord } from './course.ts'
import { success } from './envelope.ts'
import { isTooLarge } from './faults/too-large.ts'
import { RawForm } from './form.ts'
import { type Fields, fieldsOf, requiredText } from './read-body.ts'
import { SandboxRefusal } from './refusal.ts'
import { courseNamed, type RouteContext } from './route-context.ts'
import { readPostedSheet, recipientsOf } from './upload.ts'
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

export function inviteEndpoint(context: RouteContext): SandboxEndpoint {
  return { method: 'POST', path, admits: 'bearers', invites: true, answer: (call) => invite(context, call) }
}

function invite(context: RouteContext, call: SandboxCall): SandboxReply | Promise<SandboxReply> {
  if (call.body instanceof RawForm) return upload(context, call, call.body)
  const fields = fieldsOf(call.body)
  const students = readStudents(fields)
  checkSize(context, call, students.length)
  const course = readCourse(context, fields)
  checkFlags(fields)
  const publicLink = fields.is_send_certificate_public_link === true
  return applyInvitation(context, call, course, students, { imageOf: () => null, publicLink })
}

async function upload(context: RouteContext, call: SandboxCall, form: RawForm): Promise<SandboxReply> {
  const { fields, file } = await readUploadForm(form)
  const sheet = await readPostedSheet(file)
  checkSize(context, call, sheet.rows.length)
  const course = readCourse(context, fields)
  const uploaded = recipientsOf(sheet, course)
  const images = new Map(uploaded.map(({ student, image }) => [student, image]))
  // The documentation has no flag for public links in a form, so these credentials have none.
  const imageOf = (student: Fields) => images.get(student) ?? null
  return applyInvitation(context, call, course, [...images.keys()], { imageOf, publicLink: false })
}

function checkSize({ settings: { maxBatch, faults } }: RouteContext, call: SandboxCall, recipients: number): void {
  if (recipients > maxBatch)
    throw new SandboxRefusal(413, `Request entity too large: more than ${maxBatch} recipients.`)
  if (isTooLarge(faults, call.bytes, recipients)) throw new SandboxRefusal(413, 'Request entity too large.')
}

function applyInvitation(
  context: RouteContext,
  call: SandboxCall,
  course: CourseRecord,
  students: readonly unknown[],
  options: Parameters<RouteContext['requests']['add']>[2],
): SandboxReply {
  const { faults } = context.settings
  const fault = firstInvalidRecipient(students, course, context.requests, faults)
  if (fault) throw new SandboxRefusal(400, `Bad request: ${fault}.`)
  const records = students as readonly Fields[]
  const applied = call.portion ? call.portion(records.length).map((at) => records[at] as Fields) : records
  const created = context.requests.add(course, applied, options)
  call.committed(
    students.length,
    created.map(({ outcome }) => outcome.entityUuid),
  )
  return invited
}

// The documentation says that `student` is optional, so an invitation without it is valid and creates nothing.
function readStudents(fields: Fields): unknown[] {
  const students = fields.student ?? []
  if (!Array.isArray(students))
    throw new SandboxRefusal(400, 'Bad request: student must be an array of recipient records.')
  return students
}

function readCourse(context: RouteContext, fields: Fields): CourseRecord {
  const template = requiredText(fields, 'template_uuid')
  const badgeTemplate = requiredText(fields, 'badge_template_uuid')
  const course = courseNamed(context, requiredText(fields, 'course_uuid'))
  if (context.courses.statusOf(course).approval !== 2)
    throw new SandboxRefusal(400, 'Bad request: the course is not approved.')
  if (!course.enabled) throw new SandboxRefusal(400, 'Bad request: the course is disabled.')
  if (!course.templates.some(({ uuid }) => uuid === template)) {
    throw new SandboxRefusal(400, 'Bad request: template_uuid is not a template of this course.')
  }
  if (!course.badgeTemplates.some(({ uuid }) => uuid === badgeTemplate)) {
    throw new SandboxRefusal(400, 'Bad request: badge_template_uuid is not a badge template of this course.')
  }
  return course
}

function checkFlags(fields: Fields): void {
  const invalidFlag = flags.find((flag) => fields[flag] !== undefined && typeof fields[flag] !== 'boolean')
  if (invalidFlag) throw new SandboxRefusal(400, `Bad request: ${invalidFlag} must be true or false.`)
}
