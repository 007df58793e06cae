// Builds course forms for the tests from the reference lists, as a client would.

import type { Answer, Visitor } from '#test/sandboxes/service/visitor.ts'

export const coursePath = '/api/institute/v1/course'

// biome-ignore lint/suspicious/noExplicitAny: a row of any list, or a course detail
type Item = any

/** The first item of a list that contains this text. */
export async function listed(visitor: Visitor, list: string, text: string): Promise<Item> {
  const answer = await visitor.post(`${coursePath}/${list}/list`, { recordsPerPage: 100 })
  const found = answer.payload.data.find((item: object) => JSON.stringify(item).includes(text))
  if (!found) throw new Error(`Nothing in the ${list} list has ${text}.`)
  return found
}

/** The required fields, with uuids from the reference lists. */
export async function smallForm(visitor: Visitor, number = 'NEW-1'): Promise<Record<string, string>> {
  const bodies = await visitor.get('/api/institute/v1/institute/certification-body/list')
  return {
    name: 'Bricklaying',
    certBodyUUID: bodies.payload[0].certification_uuid,
    category_uuid: (await listed(visitor, 'category', 'Trades')).category_uuid,
    templateId: JSON.stringify([(await listed(visitor, 'template', 'Trades certificate')).template_uuid]),
    badgeTemplateId: JSON.stringify([(await listed(visitor, 'template', 'Trades badge')).template_uuid]),
    courseNumber: number,
    is_certification_expire: '0',
    description: '<p>Walls, and how they stay up.</p>',
    is_public: '1',
  }
}

export async function detailOf({ post }: Visitor, number: string): Promise<Item> {
  const { payload } = await post(`${coursePath}/list`, { search: JSON.stringify({ course_number: number }) })
  const detail = await post('/api/institute/v3/course/detail', { course_uuid: payload.data[0].course_uuid })
  return detail.payload.data
}

/** Creates a course and returns its detail, or fails with the sandbox's message. */
export async function createdCourse(visitor: Visitor, parts: Record<string, string | Buffer>): Promise<Item> {
  const answer: Answer = await visitor.form('POST', coursePath, parts)
  if (answer.http !== 200) throw new Error(answer.message)
  return detailOf(visitor, String(parts.courseNumber))
}

/** The parts without those named. */
export function without<T>(parts: Readonly<Record<string, T>>, ...names: string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(parts).filter(([name]) => !names.includes(name)))
}
