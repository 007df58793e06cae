// The check before the first list of a course: its requests, which results count, and the number of calls. Needs a
// database.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReportItem } from '#src/issuer/wire-shapes.ts'
import { checkFirstList, maxPeopleSearched } from '#src/issuing/reconcile/check-first-list.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, aReportItem, otherCourse, type Recipient, recipients } from '#test/support/domain-objects.ts'
import { type ReportServiceOptions, reportService } from '#test/support/report-service.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const shown = (people: readonly Recipient[], more: Partial<ReportItem> = {}): ReportItem[] =>
  people.map((person) => aReportItem(person, more) as ReportItem)
/** Items of other people and another course, so that the report has several pages. */
const others = (count: number) => shown(recipients(count, 10_000), { certificate_name: 'Fire Safety' })

async function check({ ledger }: TestLedger, options: ReportServiceOptions, people: readonly Recipient[]) {
  const { issuer, calls } = reportService(options)
  const correlation = null
  const shows = await checkFirstList({ issuer, ledger, pageSize: 100 }, { course: aCourse, people, correlation })
  return { shows, calls }
}

describeWithDatabase('before the first list of a course', () => {
  // The check writes nothing to the ledger, so tests can share one.
  let ledger: TestLedger
  beforeAll(async () => {
    ledger = await openTestLedger()
  })
  afterAll(() => ledger[Symbol.asyncDispose]())

  test('an empty report costs one call, and a report of one page costs two', async () => {
    expect(await check(ledger, { items: [] }, recipients(40))).toEqual({ shows: null, calls: ['report'] })
    const short = await check(ledger, { items: others(99) }, recipients(40))
    expect(short).toEqual({ shows: null, calls: ['report', 'detail'] })
  })

  test('a long report without the course costs at most 22 calls, whichever searches work', async () => {
    const items = others(2_500)
    const all = await check(ledger, { items }, recipients(maxPeopleSearched))
    expect(all.shows).toBeNull()
    expect(all.calls.filter((call) => call === 'email_').length).toBeLessThanOrEqual(maxPeopleSearched + 1)
    const phones = recipients(maxPeopleSearched).map((recipient, at) => ({
      ...recipient,
      'Contact Number': `017${at}`,
      'Dial code': '+49',
    }))
    const ofOtherCourse = shown(phones, { certificate_name: 'First Aid' })
    const behaviors = ['works', 'ignored', 'finds nothing', 'refused'] as const
    for (const named of ['works', 'ignored'] as const)
      for (const email of behaviors)
        for (const number of behaviors) {
          const searches = { certificate_name: named, email_: email, contact_number: number }
          for (const each of [items, [...items.slice(0, 300), ...ofOtherCourse, ...items.slice(300)]])
            expect((await check(ledger, { items: each, searches }, phones)).calls.length).toBeLessThanOrEqual(22)
        }
    expect(all.calls).toHaveLength(21)
  })

  test('the name of the course is searched for, and the service’s total is reported', async () => {
    const items = [...others(300), ...shown(recipients(130, 500), { certificate_name: ' welding ' })]
    const { shows, calls } = await check(ledger, { items }, recipients(5))
    expect(shows).toMatch(
      /^The report already shows 130 credentials called “Welding”; run `credsync adopt` first, or `credsync approve RUN`/,
    )
    expect(calls).toEqual(['report', 'detail', 'certificate_name'])
  })

  test.each(['ignored', 'finds nothing', 'refused'] as const)(
    'a search for the name with the behavior “%s” proves nothing, so people of the list are searched for',
    async (behavior) => {
      const items = [...others(300), ...shown(recipients(30))]
      const { shows } = await check(ledger, { items, searches: { certificate_name: behavior } }, recipients(12))
      expect(shows).toContain(
        'credentials called “Welding”, a name that no other course has, for 12 of the 12 people on this list',
      )
    },
  )

  test('refused searches, with any status, need an operator’s decision and do not wait for the service', async () => {
    const searches = { certificate_name: 'forbidden', email_: 'forbidden', contact_number: 'forbidden' } as const
    const { shows } = await check(ledger, { items: others(60_000), searches }, recipients(5))
    expect(shows).toMatch(/cannot be determined: .*; run `credsync adopt` first, or `credsync approve RUN`/)
  })

  test('a list in capitals is found although the service’s search is case-sensitive', async () => {
    const items = [...others(300), ...shown(recipients(30))]
    const searches = { certificate_name: 'finds nothing', email_: 'case-sensitive' } as const
    const inCapitals = recipients(12).map((recipient) => ({
      ...recipient,
      Email: recipient.Email?.toUpperCase() ?? '',
    }))
    const { shows, calls } = await check(ledger, { items, searches }, inCapitals)
    expect(shows).toMatch(/^The report already shows .* for 8 of the 8 people on this list/)
    expect(calls.length).toBeLessThanOrEqual(22)
    const caseInsensitive = await check(ledger, { items, searches: { certificate_name: 'finds nothing' } }, inCapitals)
    expect(caseInsensitive.shows).toMatch(/^The report already shows .* for 12 of the 12 people on this list/)
  })

  test('people are reported if the report shows them under a name that no course of the account has', async () => {
    const items = [...others(300), ...shown(recipients(3), { certificate_name: 'Certificate of\nWelding' })]
    const { shows } = await check(ledger, { items }, recipients(10))
    expect(shows).toContain('3 of the 10 people on this list')
    expect(shows).toContain('“Certificate of Welding”, a name that no other course has')
    const nameless = await check(
      ledger,
      { items: [...others(300), ...shown(recipients(3), { certificate_name: null })] },
      recipients(10),
    )
    expect(nameless.shows).toContain('credentials without a name, for 3 of the 10 people on this list')
  })

  test('people with credentials of other courses do not block a course', async () => {
    await using ledger = await openTestLedger()
    const items = [...others(300), ...shown(recipients(30), { certificate_name: 'First Aid' })]
    const known = await check(ledger, { items, courses: ['Cooking', 'first aid'] }, recipients(30))
    expect(known.shows).toBeNull()
    expect(known.calls.filter((call) => call === 'courses')).toHaveLength(1)
    // The result is the same for a report of one page.
    expect((await check(ledger, { items: items.slice(250), courses: ['First Aid'] }, recipients(30))).shows).toBeNull()
    expect((await check(ledger, { items }, recipients(30))).shows).toContain('“First Aid”')
    await ledger.ledger.report.apply({
      ...{ claims: [], upgrades: [], moves: [], shown: [], surplus: [] },
      certificateNames: [[otherCourse, 'First Aid']],
    })
    expect((await check(ledger, { items }, recipients(30))).shows).toBeNull()
  })

  test('credentials that the ledger has issued are no reason to wait, whatever their name', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    const attempt = await ledger.send()
    await ledger.answer(attempt, { class: 'accepted' })
    const [own] = shown(recipients(1), { certificate_name: 'Welding' })
    await ledger.scan(own ? [own] : [])
    expect(await ledger.states()).toEqual(['issued'])
    const { issuer } = reportService({ items: [...others(300), ...(own ? [own] : [])] })
    const question = { course: otherCourse, people: recipients(1), correlation: null }
    expect(await checkFirstList({ issuer, ledger: ledger.ledger, pageSize: 100 }, question)).toBeNull()
  })

  test('a search with wrong results counts as unsupported, and as much of the report is read as the calls allow', async () => {
    const searches = { email_: 'ignored', certificate_name: 'ignored' } as const
    const deep = [...others(900), ...shown(recipients(20), { certificate_name: 'Certificate of Welding' })]
    expect((await check(ledger, { items: deep, searches }, recipients(10))).shows).toContain(
      '10 of the 10 people on this list',
    )
    expect((await check(ledger, { items: others(920), searches }, recipients(10))).shows).toBeNull()
    expect((await check(ledger, { items: others(5_000), searches }, recipients(10))).shows).toContain(
      'cannot be determined',
    )
    const nobody = { email_: 'finds nothing' } as const
    expect((await check(ledger, { items: others(5_000), searches: nobody }, recipients(10))).shows).toContain(
      'cannot be determined',
    )
  })

  test('nothing is requested once an invitation has been sent for the course', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.send()
    // Older versions left no data about first lists.
    await ledger.database.query('DELETE FROM course')
    expect(await check(ledger, { items: shown(recipients(5)) }, recipients(5))).toEqual({ shows: null, calls: [] })
  })
})
