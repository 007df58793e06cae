// The calls before the first list of a course: what they ask for, and how many there may be.

import { expect, test } from 'vitest'
import { allStatusIds } from '#src/domain/credential/report-status.ts'
import { ServiceRefusedError } from '#src/issuer/classify-read.ts'
import type { ReportQuery } from '#src/issuer/report/report-pages.ts'
import type { ReportItem } from '#src/issuer/wire-shapes.ts'
import { maxCalls, openInquiry } from '#src/issuing/reconcile/first-list-inquiry.ts'
import { aReportItem, recipients } from '#test/support/domain-objects.ts'
import { type ReportServiceOptions, reportService } from '#test/support/report-service.ts'

const itemsOf = (count: number) => recipients(count).map((person) => aReportItem(person) as ReportItem)

/** Opens an inquiry with a small page, and keeps every query for the report. */
function inquire(options: ReportServiceOptions, pageSize = 2) {
  const { issuer, calls } = reportService(options)
  const queries: ReportQuery[] = []
  const reportPages = (query: ReportQuery) => {
    queries.push(query)
    return issuer.reportPages(query)
  }
  return { inquiry: openInquiry({ ...issuer, reportPages }, pageSize), calls, queries }
}

test('the newest page is one call for the newest requests of every status', async () => {
  const { inquiry, queries } = inquire({ items: itemsOf(5) })
  const { items, complete, total } = await inquiry.newest()
  expect(items).toHaveLength(2)
  expect({ complete, total }).toEqual({ complete: false, total: 5 })
  expect(queries).toEqual([
    {
      search: { issued_status_id: allStatusIds },
      ...{ sortBy: 'request_date', sortOrder: 'desc', recordsPerPage: 2, maxPages: 1 },
    },
  ])
  expect(inquiry.callsLeft()).toBe(maxCalls - 2)
})

test('a report that fits on the page is complete', async () => {
  const { inquiry } = inquire({ items: itemsOf(1) })
  expect(await inquiry.newest()).toMatchObject({ complete: true, total: 1 })
})

test('a search is one call, and asks for every status too', async () => {
  const { inquiry, queries } = inquire({ items: itemsOf(3) })
  const answer = await inquiry.search({ email_: 'person.2@example.org' })
  expect(answer?.items.map((item) => item.email_)).toEqual(['person.2@example.org'])
  expect(queries[0]?.search).toEqual({ email_: 'person.2@example.org', issued_status_id: allStatusIds })
  expect(inquiry.callsLeft()).toBe(maxCalls - 2)
})

test('a refused search finds nothing, and counts as a call', async () => {
  const { inquiry } = inquire({ items: itemsOf(3), searches: { email_: 'refused' } })
  expect(await inquiry.search({ email_: 'a@x.org' })).toBeNull()
  expect(inquiry.callsLeft()).toBe(maxCalls - 2)
})

test.each([
  ['refuses the keys', new ServiceRefusedError(401, 'report', 'no')],
  ['fails in another way', new Error('reset')],
])('a search fails if the service %s', async (_, error) => {
  const { issuer } = reportService({ items: [] })
  const reportPages: typeof issuer.reportPages = async function* () {
    yield await Promise.reject(error)
  }
  await expect(openInquiry({ ...issuer, reportPages }, 2).search({})).rejects.toBe(error)
})

test('reading on takes all calls that are left, but for the one for the courses', async () => {
  const { inquiry, queries } = inquire({ items: itemsOf(100) })
  await inquiry.newest()
  await inquiry.nameOf('course')
  expect(inquiry.callsLeft()).toBe(maxCalls - 3)
  expect(await inquiry.walk()).toMatchObject({ complete: false, total: 100 })
  expect(queries.at(-1)).toMatchObject({ maxPages: maxCalls - 3 })
  expect(inquiry.callsLeft()).toBe(0)
  await inquiry.walk()
  expect(queries.at(-1)).toMatchObject({ maxPages: 1 })
})

test.each([
  [' Welding ', 'Welding'],
  ['  ', null],
  [null, null],
])('the name %j of the course is read as %j', async (name, expected) => {
  expect(await inquire({ items: [], name }).inquiry.nameOf('course')).toBe(expected)
})

test('the courses are one page of a hundred, and requested once', async () => {
  const { issuer, calls } = reportService({ items: [], courses: ['A', 'B'] })
  const queries: unknown[] = []
  const listCourses = (query: Parameters<typeof issuer.listCourses>[0]) => {
    queries.push(query)
    return issuer.listCourses(query)
  }
  const inquiry = openInquiry({ ...issuer, listCourses }, 2)
  for (let time = 1; time <= 2; time++)
    expect((await inquiry.courses()).map(({ course_name }) => course_name)).toEqual(['A', 'B'])
  expect(calls).toEqual(['courses'])
  expect(queries).toEqual([{ recordsPerPage: 100, maxPages: 1 }])
})
