// The report with 100,000 requests held: a page must not cost more because the list is long.

import { expect, test } from 'vitest'
import { person, visitSandbox } from './visitor.ts'

test('a page of 1000 out of 20,000 of one course comes in well under 100 ms with 100,000 requests held', async () => {
  const visitor = await visitSandbox({ limits: { general: 10_000, auth: 3 }, maxBatch: 10_000, reportLagMs: 0 })
  const { invite, report, clock, sandbox } = visitor
  const other = sandbox.courses[1]
  const toOther = {
    course_uuid: other?.uuid,
    template_uuid: other?.templateUuid,
    badge_template_uuid: other?.badgeTemplateUuid,
  }
  for (let batch = 0; batch < 10; batch++) {
    const people = Array.from({ length: 10_000 }, (_, n) => person(`p${batch}x${n}@example.org`))
    expect((await invite(people, batch % 5 === 0 ? toOther : {})).http).toBe(200)
  }
  await clock.advance(60_000)

  // The best of five: the question is what the work costs, not what else this machine was doing.
  const fastest = async (ask: () => Promise<unknown>) => {
    let best = Number.POSITIVE_INFINITY
    for (let run = 0; run < 5; run++) {
      const from = performance.now()
      await ask()
      best = Math.min(best, performance.now() - from)
    }
    return best
  }
  const course = { certificate_name: 'Safety at Work' }
  const { pager, payload } = await report(course, { pageNumber: 10, recordsPerPage: 1_000 })
  expect(pager).toMatchObject({ filteredRecords: 20_000, totalRecords: 100_000 })
  expect(payload.data).toHaveLength(1_000)
  expect(await fastest(() => report(course, { pageNumber: 10, recordsPerPage: 1_000 }))).toBeLessThan(100)
  expect(await fastest(() => report({}, { pageNumber: 50, recordsPerPage: 1_000 }))).toBeLessThan(100)
  // One person, found by the index: far below what a look at every request costs.
  expect(await fastest(() => report({ email_: 'p7x77@example.org' }))).toBeLessThan(10)
})
