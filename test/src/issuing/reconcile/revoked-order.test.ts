// Deciding whether the report is sorted by revocation date, or only looks sorted by coincidence.

import { describe, expect, test } from 'vitest'
import { evaluateOrder, openRevokedOrder } from '#src/issuing/reconcile/revoked-order.ts'
import { aRecipient, aReportItem } from '#test/support/domain-objects.ts'

/** Reads rows that are written as `request day/revocation day`, with days in January. */
function read(direction: 'asc' | 'desc', rows: string) {
  const order = openRevokedOrder(direction)
  const day = (text: string) => (text === '-' ? null : `2026-01-${text.padStart(2, '0')}`)
  const items = rows.split(' ').map((row, at) => {
    const [requested = '', revoked = '-'] = row.split('/')
    return aReportItem(aRecipient(at), { request_date: day(requested), revoked_date: day(revoked) })
  })
  order.add(items)
  return order
}

describe('the order of revoked_date', () => {
  test.each([
    ['desc', '3/9 7/8 1/8 5 4'],
    ['asc', '3/7 7/8 1/9 5 4'],
    ['desc', '3/9 7/8 1/2'],
  ] as const)('%s is proven by %s', (direction, rows) => {
    expect(read(direction, rows)).toMatchObject({ holds: true })
    expect(read(direction, rows).isProven()).toBe(true)
  })

  test.each([
    ['a single revocation', '3/9 7 5 4'],
    ['revocations on a single day', '3/9 7/9 5 4'],
    ['the newest requests first, if the newest were revoked', '9/20 8/19 8 5 4'],
    ['the oldest requests first, if the oldest were revoked', '1/20 2/19 2 5 6'],
    ['no revocations', '3 7 5'],
  ])('is not proven by %s', (_, rows) => {
    expect(read('desc', rows)).toMatchObject({ holds: true })
    expect(read('desc', rows).isProven()).toBe(false)
  })

  test.each([
    ['a date after a row without a date', '3/9 7 1/8 5'],
    ['a later date', '3/8 7/9 1 5'],
    ['a date that cannot be read', '3/9 7/xx 1 5'],
  ])('does not hold with %s', (_, rows) => {
    expect(read('desc', rows)).toMatchObject({ holds: false })
    expect(read('desc', rows).isProven()).toBe(false)
  })

  test('does not hold in ascending order with an earlier date', () => {
    expect(read('asc', '3/8 7/9 1/7')).toMatchObject({ holds: false })
    expect(read('asc', '3/8 7/8 1/9')).toMatchObject({ holds: true })
  })

  test('does not hold with a date that stands behind other text', () => {
    const order = openRevokedOrder('desc')
    order.add([aReportItem(aRecipient(1), { revoked_date: 'on 2026-01-09' })])
    expect(order.holds).toBe(false)
  })

  test('does not hold if a page repeats a row of the page before', () => {
    const order = openRevokedOrder('desc')
    const item = aReportItem(aRecipient(1), { revoked_date: '2026-01-09' })
    order.add([item])
    expect(order.holds).toBe(true)
    order.add([item])
    expect(order.holds).toBe(false)
    order.add([aReportItem(aRecipient(2), { revoked_date: '2026-01-08' })])
    expect(order.holds).toBe(false)
  })

  test('is past once the dates end or are before the requested day', () => {
    expect(read('desc', '3/9 7/8').isPast(null)).toBe(false)
    expect(read('desc', '3/9 7').isPast(null)).toBe(true)
    expect(read('desc', '3/9 7/8').isPast('2026-01-08')).toBe(false)
    expect(read('desc', '3/9 7/8').isPast('2026-01-09')).toBe(true)
    expect(read('asc', '3/8 7/9').isPast('2026-02-01')).toBe(false)
  })
})

describe('the decision after a page of rows', () => {
  const many = (row: string, times: number) => Array.from({ length: times }, () => row).join(' ')
  const oneDay = `3/9 ${many('7/9', 100)}`
  test.each([
    ['too few', '3/9 7/8', null, 1, 'read on'],
    ['too few, although the last one is not revoked', `3/9 7/8 1/7 5`, null, 1, 'read on'],
    ['out of order', '3/8 7/9', null, 1, 'not shown'],
    ['not revoked', many('3', 100), null, 1, 'none revoked'],
    ['in order, but not yet past the known revocations', `3/9 ${many('7/8', 99)} 1/8`, '2026-01-08', 1, 'read on'],
    ['in order, and past the known revocations', `3/9 ${many('7/8', 99)} 1/8`, '2026-01-09', 1, 'order'],
    ['in order to the last revoked row', `3/9 ${many('7/8', 99)} 1/8 5`, null, 1, 'order'],
    ['all revoked on one day, and past the known revocations', oneDay, '2026-01-10', 1, 'read on'],
    ['all revoked on one day, after ten pages', oneDay, '2026-01-10', 10, 'not shown'],
    ['all revoked on one day, to the last revoked row', `${oneDay} 5`, '2026-01-10', 1, 'not shown'],
  ] as const)('is right for rows that are %s', (_, rows, since, pagesRead, verdict) => {
    expect(evaluateOrder(read('desc', rows), { since, pagesRead })).toBe(verdict)
  })
})
