import { describe, expect, test } from 'vitest'
import { allStatusIds, readReportStatus } from '#src/issuance/report-status.ts'
import type { State } from '#src/issuance/state.ts'

const documented: [string, State][] = [
  ['Request Ready to issue', 'requested'],
  ['Request inqueue', 'requested'],
  ['Request inprogress', 'in_progress'],
  ['Request Completed', 'issued'],
  ['Request rejected', 'rejected'],
  ['Request failed', 'failed'],
]

/** The label as people, screens and programs may write it. */
function spellings(label: string): string[] {
  const spaced = label.replace(/inqueue/, 'in queue').replace(/inprogress/, 'in progress')
  return [label, label.toUpperCase(), label.toLowerCase(), ` ${label} `, label.replaceAll(' ', ''), spaced].concat(
    spaced.replaceAll(' ', '-'),
    spaced.replaceAll(' ', '_'),
    spaced.replaceAll(' ', '  '),
  )
}

describe('a label of the report', () => {
  test.each(documented)('“%s” means %s in every spelling', (label, state) => {
    for (const spelling of spellings(label))
      expect(readReportStatus(spelling, null), spelling).toEqual({ kind: 'state', state })
  })

  test('“Request not requested” leaves the state as it is', () => {
    for (const spelling of spellings('Request not requested'))
      expect(readReportStatus(spelling, null), spelling).toEqual({ kind: 'stays' })
  })

  test.each([null, '', 'Request', 'Completed', 'Request Complete', 'Request Completed!', 'constructor', '__proto__'])(
    '%j is unknown and says nothing',
    (label) => {
      expect(readReportStatus(label, null)).toEqual({ kind: 'unknown' })
    },
  )

  test('is outranked by a date of revocation', () => {
    for (const label of ['Request Completed', 'Request failed', 'nobody knows', null])
      expect(readReportStatus(label, '2026-03-02')).toEqual({ kind: 'state', state: 'revoked' })
  })

  test('does not mean revoked when the date of revocation is empty', () => {
    expect(readReportStatus('Request Completed', '')).toEqual({ kind: 'state', state: 'issued' })
  })

  test('is searched for under every id there is', () => {
    expect(allStatusIds).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })
})
