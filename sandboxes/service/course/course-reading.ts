// The course endpoints that a client reads before it invites: list, detail and field list.

import type { SandboxEndpoint } from '#sandboxes/service/call.ts'
import { success } from '#sandboxes/service/envelope.ts'
import { inData, listEndpoint } from '#sandboxes/service/lists/list-endpoint.ts'
import { fieldsOf, requiredText } from '#sandboxes/service/read-body.ts'
import { courseNamed, type RouteContext } from '#sandboxes/service/route-context.ts'
import { courseDetail, courseListItem, fieldList } from './course-views.ts'

const root = '/api/institute'

export function courseReadingEndpoints(context: RouteContext): SandboxEndpoint[] {
  const { courses } = context
  const admits = 'bearers'
  return [
    listEndpoint(context, {
      path: `${root}/v1/course/list`,
      message: 'Course list.',
      items: () => courses.all().map((course) => courseListItem(course, courses.statusOf(course))),
      sortable: [
        'course_name',
        'course_number',
        'course_category',
        'is_active',
        'approval_status_id',
        'audit_status_id',
      ],
      search: {
        course_name: (course) => course.course_name,
        course_number: (course) => course.course_number,
        course_category: (course) => course.course_category,
      },
      payload: inData,
    }),
    {
      method: 'POST',
      path: `${root}/v3/course/detail`,
      admits,
      answer({ body }) {
        const course = courseNamed(context, requiredText(fieldsOf(body), 'course_uuid', 'courseUUID'))
        return { json: success('Course details.', { data: courseDetail(course, courses.statusOf(course)) }) }
      },
    },
    {
      method: 'GET',
      path: `${root}/v1/course/recipients/fieldList/:course_uuid`,
      admits,
      answer({ params }) {
        return { json: success('Recipient fields.', fieldList(courseNamed(context, params.course_uuid ?? ''))) }
      },
    },
  ]
}
