// The endpoints that change a course: create, update, enable and disable, remove a logo.

import type { SandboxCall, SandboxEndpoint, SandboxReply } from '#sandboxes/service/call.ts'
import { success } from '#sandboxes/service/envelope.ts'
import { fieldsOf } from '#sandboxes/service/read-body.ts'
import { SandboxRefusal } from '#sandboxes/service/refusal.ts'
import { courseNamed, type RouteContext } from '#sandboxes/service/route-context.ts'
import { createCourse, updateCourse } from './course-forms.ts'

const path = '/api/institute/v1/course'

export function courseWritingEndpoints(context: RouteContext): SandboxEndpoint[] {
  const put = { method: 'PUT', admits: 'bearers' } as const
  return [
    { method: 'POST', path, admits: 'bearers', answer: (call) => createCourse(context, call) },
    { ...put, path: `${path}/:course_uuid`, answer: (call) => updateCourse(context, call) },
    { ...put, path: `${path}/status/:course_uuid/:course_status`, answer: (call) => setStatus(context, call) },
    { ...put, path: `${path}/logo/:course_uuid`, answer: (call) => removeLogo(context, call) },
  ]
}

function setStatus(context: RouteContext, { params, record }: SandboxCall): SandboxReply {
  const { course_uuid = '', course_status: status } = params
  const course = courseNamed(context, course_uuid)
  if (status !== '0' && status !== '1') throw new SandboxRefusal(400, 'Bad request: course_status must be 0 or 1.')
  const enabled = status === '1'
  context.courses.change(course, { enabled })
  record({ kind: 'course changed', change: enabled ? 'enabled' : 'disabled', course: course.uuid })
  return { json: success('Course status updated successfully.', { status }) }
}

// The documentation does not say which of the two images is the square one. Here it is the course image, which is also
// the default.
function removeLogo(context: RouteContext, { params, body, record }: SandboxCall): SandboxReply {
  const course = courseNamed(context, params.course_uuid ?? '')
  const type = fieldsOf(body ?? {}).remove_logo_type ?? 'square'
  if (type !== 'square' && type !== 'rectangle')
    throw new SandboxRefusal(400, 'Bad request: remove_logo_type must be square or rectangle.')
  const logo = type === 'square' ? course.image : course.certificateImage
  if (!logo) throw new SandboxRefusal(404, 'Not found: the course has no such logo.')
  context.courses.change(course, type === 'square' ? { image: null } : { certificateImage: null })
  record({ kind: 'course changed', change: 'logo removed', course: course.uuid })
  return { json: success('Logo deleted successfully.') }
}
