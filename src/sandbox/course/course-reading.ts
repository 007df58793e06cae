// The course endpoints that a client reads before it invites: list, detail and field list.

import type { Endpoint } from '#src/sandbox/call.ts'
import { success } from '#src/sandbox/envelope.ts'
import { inData, listEndpoint } from '#src/sandbox/lists/list-endpoint.ts'
import { courseNamed, type Premises } from '#src/sandbox/premises.ts'
import { fieldsOf, requiredText } from '#src/sandbox/read-body.ts'
import { courseDetail, courseListItem, fieldList } from './course-views.ts'

const root = '/api/institute'

export function courseReadingEndpoints(premises: Premises): Endpoint[] {
  const { courses } = premises
  const admits = 'bearers'
  return [
    listEndpoint(premises, {
      path: `${root}/v1/course/list`,
      message: 'Course list.',
      items: () => courses.all().map((course) => courseListItem(course, courses.standing(course))),
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
        const course = courseNamed(premises, requiredText(fieldsOf(body), 'course_uuid', 'courseUUID'))
        return { json: success('Course details.', { data: courseDetail(course, courses.standing(course)) }) }
      },
    },
    {
      method: 'GET',
      path: `${root}/v1/course/recipients/fieldList/:course_uuid`,
      admits,
      answer({ params }) {
        return { json: success('Recipient fields.', fieldList(courseNamed(premises, params.course_uuid ?? ''))) }
      },
    },
  ]
}
