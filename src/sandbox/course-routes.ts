// The course endpoints that a client reads before it invites: list, detail and field list.

import type { Endpoint } from './call.ts'
import { courseDetail, courseListItem, fieldList } from './course-views.ts'
import type { Course } from './courses.ts'
import { success } from './envelope.ts'
import { pageOf, pagerOf, readPage, sortedBy } from './page.ts'
import { courseNamed, type Premises } from './premises.ts'
import { type Fields, fieldsOf, requiredText } from './read-body.ts'
import { Refusal } from './refusal.ts'
import { folded } from './request-book.ts'

const root = '/api/institute'

const columns = {
  course_name: (course: Course) => course.name,
  course_number: (course: Course) => course.number,
  course_category: (course: Course) => course.category,
} as const
type Column = keyof typeof columns
const columnNames = Object.keys(columns) as Column[]

export function courseEndpoints(premises: Premises): Endpoint[] {
  const admits = 'bearers'
  return [
    {
      method: 'POST',
      path: `${root}/v1/course/list`,
      admits,
      answer: ({ body }) => ({ json: listCourses(premises, fieldsOf(body)) }),
    },
    {
      method: 'POST',
      path: `${root}/v3/course/detail`,
      admits,
      answer({ body }) {
        const uuid = requiredText(fieldsOf(body), 'course_uuid', 'courseUUID')
        return { json: success('Course details.', { data: courseDetail(courseNamed(premises, uuid)) }) }
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

function listCourses({ settings, courses }: Premises, fields: Fields) {
  const wish = readPage(fields, {
    maxPage: settings.maxPage,
    sortable: columnNames,
    sortBy: 'course_name',
    sortOrder: 'asc',
  })
  const found = courses.filter((course) => matches(course, wish.search))
  const data = pageOf(sortedBy(found, columns[wish.sortBy as Column]), wish).map(courseListItem)
  return success('Course list.', { data }, pagerOf(wish, found.length, courses.length))
}

function matches(course: Course, search: Fields): boolean {
  return Object.entries(search).every(([key, value]) => {
    const column = columnNames.find((each) => each === key)
    if (!column || typeof value !== 'string') {
      throw new Refusal(400, `Bad request: search takes text for ${columnNames.join(', ')}.`)
    }
    return folded(columns[column](course)).includes(folded(value))
  })
}
