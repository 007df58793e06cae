// Which state each status label of the report means.

import { describe, expect, test } from 'vitest'
import { allStatusIds, readReportStatus } from '#src/domain/credential/report-status.ts'
import type { State } from '#src/domain/credential/state.ts'

const documented: [string, State][] = [
  ['Request Ready to issue', 'requested'],
  ['Request inqueue', 'requested'],
  ['Request inprogress', 'in_progress'],
  ['Request Completed', 'issued'],
  ['Request rejected', 'rejected'],
  ['Request failed', 'failed'],
]

/** Ways in which people, screens and programs may spell the label. */
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

  test('“Request not requested” does not change the state', () => {
    for (const spelling of spellings('Request not requested'))
      expect(readReportStatus(spelling, null), spelling).toEqual({ kind: 'stays' })
  })

  test.each([null, '', 'Request', 'Completed', 'Request Complete', 'Request Completed!', 'constructor', '__proto__'])(
    '%j is unknown and gives no state',
    (label) => {
      expect(readReportStatus(label, null)).toEqual({ kind: 'unknown' })
    },
  )

  test('is overridden by a revocation date', () => {
    for (const label of ['Request Completed', 'Request failed', 'no one knows', null])
      expect(readReportStatus(label, '2026-03-02')).toEqual({ kind: 'state', state: 'revoked' })
  })

  test('is not revoked if the revocation date is empty', () => {
    expect(readReportStatus('Request Completed', '')).toEqual({ kind: 'state', state: 'issued' })
  })

  test('can have any of the eight ids, and searches list them all', () => {
    expect(allStatusIds).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })
})
