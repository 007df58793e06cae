// The endpoints that change a course: create, update, enable and disable, removal of a logo.

import type { Call, Endpoint, Reply } from '#src/sandbox/call.ts'
import { success } from '#src/sandbox/envelope.ts'
import { courseNamed, type Premises } from '#src/sandbox/premises.ts'
import { fieldsOf } from '#src/sandbox/read-body.ts'
import { Refusal } from '#src/sandbox/refusal.ts'
import { createCourse, updateCourse } from './course-forms.ts'

const path = '/api/institute/v1/course'

export function courseWritingEndpoints(premises: Premises): Endpoint[] {
  const put = { method: 'PUT', admits: 'bearers' } as const
  return [
    { method: 'POST', path, admits: 'bearers', answer: (call) => createCourse(premises, call) },
    { ...put, path: `${path}/:course_uuid`, answer: (call) => updateCourse(premises, call) },
    { ...put, path: `${path}/status/:course_uuid/:course_status`, answer: (call) => setStatus(premises, call) },
    { ...put, path: `${path}/logo/:course_uuid`, answer: (call) => removeLogo(premises, call) },
  ]
}

function setStatus(premises: Premises, { params, did }: Call): Reply {
  const { course_uuid = '', course_status: status } = params
  const course = courseNamed(premises, course_uuid)
  if (status !== '0' && status !== '1') throw new Refusal(400, 'Bad request: course_status must be 0 or 1.')
  const enabled = status === '1'
  premises.courses.change(course, { enabled })
  did({ kind: 'course changed', change: enabled ? 'enabled' : 'disabled', course: course.uuid })
  return { json: success('Course status updated successfully.', { status }) }
}

// Which of the two images is the square one is not documented: here it is the course image, and it is the one without a word.
function removeLogo(premises: Premises, { params, body, did }: Call): Reply {
  const course = courseNamed(premises, params.course_uuid ?? '')
  const type = fieldsOf(body ?? {}).remove_logo_type ?? 'square'
  if (type !== 'square' && type !== 'rectangle')
    throw new Refusal(400, 'Bad request: remove_logo_type must be square or rectangle.')
  const held = type === 'square' ? course.image : course.certificateImage
  if (!held) throw new Refusal(404, 'Not found: the course has no such logo.')
  premises.courses.change(course, type === 'square' ? { image: null } : { certificateImage: null })
  did({ kind: 'course changed', change: 'logo removed', course: course.uuid })
  return { json: success('Logo deleted successfully.') }
}
