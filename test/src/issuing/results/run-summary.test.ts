// A run as a JSON document, as a text summary and as a progress bar.

import { describe, expect, test } from 'vitest'
import { openProgressDisplay, progressLine } from '#src/cli/progress-display.ts'
import { noStates, type StateCounts } from '#src/domain/credential/state.ts'
import { emptyDocument, runDocument } from '#src/issuing/results/run-document.ts'
import { summaryLines } from '#src/issuing/results/run-summary.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import { documentKeys } from '#test/src/cli/run-document.ts'
import { steppedClock } from '#test/support/clock.ts'
import { aRun } from '#test/support/domain-objects.ts'

const states = (counts: Partial<StateCounts> = {}): StateCounts => ({ ...noStates(), ...counts })

const run = aRun()

describe('the document of a run', () => {
  test('has exactly the documented keys, in order', () => {
    const document = runDocument(run, states({ issued: 7 }), 0)
    expect(Object.keys(document)).toEqual(documentKeys)
    expect(document).toMatchObject({
      run: run.id,
      source: 'people.csv',
      rows: 10,
      results: '/out/results.csv',
      invalidRows: null,
    })
    expect(Object.keys(emptyDocument('spring', 'people.csv'))).toEqual(documentKeys)
  })

  test.each([
    ['both sums are right and the report agrees', run, { issued: 5, held: 2 }, 0, true],
    ['the states are one short', run, { issued: 6 }, 0, false],
    ['the states are one too many', run, { issued: 8 }, 0, false],
    ['the rows are one too many', { ...run, rows: 11 }, { issued: 7 }, 0, false],
    ['the report shows more items than were requested', run, { issued: 7 }, 1, false],
  ])('has the right value of balanced if %s', (_, testRun, counts, surplus, balanced) => {
    expect(runDocument(testRun, states(counts), surplus).balanced).toBe(balanced)
  })

  test('is not balanced if nothing was accepted, because nothing was compared', () => {
    expect(emptyDocument('spring', 'people.csv')).toMatchObject({ run: null, rows: 0, balanced: false })
  })
})

describe('the summary of a run', () => {
  const lines = (counts: Partial<StateCounts>, more: Partial<Run> = {}, surplus = 0) =>
    summaryLines(runDocument({ ...run, ...more }, states(counts), surplus)).join('\n')

  test('lists only states that have rows', () => {
    const text = lines({ issued: 4, rejected: 1, unconfirmed: 2 })
    expect(text).toContain('10 rows = 7 accepted + 1 invalid + 2 skipped (in the ledger already, or twice in the file)')
    expect(text).toContain('      4 issued\n')
    expect(text).toContain('      1 rejected (rejected by the certification body)')
    expect(text).toContain('      2 unconfirmed (sent, outcome unknown: the report decides)')
    expect(text).not.toMatch(/pending|held|failed|revoked/)
  })

  test('counts invalid, rejected, failed and held rows as rows that need attention', () => {
    expect(lines({ rejected: 1, failed: 2, held: 3, issued: 1 })).toMatch(
      /^ {2}7 rows need attention: 1 invalid, 1 rejected, 2 failed, 3 held$/m,
    )
    expect(lines({ issued: 7 }, { invalid: 0, rows: 9 })).not.toMatch(/needs? a person/)
  })

  test('distinguishes new, known and changed rows, and explains changed ones only if there are any', () => {
    const text = lines({ issued: 7 }, { known: 1, changed: 1 })
    expect(text).toMatch(/^ {2}7 new, 1 known, 1 changed$/m)
    expect(text).toContain('  1 row differs from the ledger: corrections, which are never issued automatically.')
    expect(lines({ issued: 7 })).toMatch(/^ {2}7 new, 2 known, 0 changed$/m)
    expect(lines({ issued: 9 }, { skipped: 0, known: 0, accepted: 9 })).not.toMatch(/known,|differs? from/)
  })

  test('lists missing people, and says that nothing is done about them', () => {
    const linesFor = (more: Partial<Run>) => {
      const now = { ...run, lastList: 'march.csv, 2026-03-01', ...more }
      return summaryLines(runDocument(now, states({ issued: 7 }), 0), now).join('\n')
    }
    expect(linesFor({ gone: 12, invalid: 0 })).toMatch(
      /^ {2}12 people on the last list \(march\.csv, 2026-03-01\) are not on this one; nothing is done about them\.$/m,
    )
    expect(linesFor({ gone: 1 })).toContain(
      '  1 person on the last list (march.csv, 2026-03-01) is not on this one, unless in',
    )
    expect(linesFor({ gone: 0 })).not.toContain('last list')
  })

  test('uses the singular for one row', () => {
    const text = lines({ held: 1 }, { rows: 1, invalid: 0, skipped: 0, accepted: 1 })
    expect(text).toContain('  1 row = 1 accepted + 0 invalid')
    expect(text).toMatch(/^ {2}1 row needs attention: 1 held$/m)
  })

  test('reports surplus items in the report, and the paths of the files', () => {
    expect(lines({ issued: 7 }, {}, 1)).toContain('The report shows more credentials')
    expect(lines({ issued: 7 })).not.toContain('The report shows more')
    expect(lines({ issued: 7 }, { invalidPath: '/out/invalid.csv' })).toMatch(
      /results +\/out\/results\.csv\n +invalid rows +\/out\/invalid\.csv$/,
    )
  })
})

describe('the progress line', () => {
  const picture = { phase: 'working', readRows: 8, states: states(), rate: null } as const

  test('counts rows while the file is read', () => {
    expect(progressLine({ ...picture, phase: 'reading' }, null)).toBe('reading: 8 rows')
  })

  test('shows the numbers of sent and final rows, and a bar for the final rows', () => {
    const now = states({ pending: 1, sending: 1, requested: 2, issued: 3, held: 1 })
    expect(progressLine({ ...picture, states: now }, null)).toBe(
      `[${'#'.repeat(12)}${'-'.repeat(12)}] 8 rows read, 6/8 sent, 4 final, 1 held`,
    )
  })

  test('adds the rate and the remaining time if they are known', () => {
    const line = progressLine(
      { ...picture, states: states({ pending: 8 }), rate: { now: 58, limit: 60, shared: false } },
      125_000,
    )
    expect(line).toMatch(/, 58 of 60 requests\/s, about 2m 5s left$/)
  })

  test('omits the rate if nothing was sent in the last second', () => {
    const own = { now: 4, limit: 60, shared: true }
    expect(progressLine({ ...picture, rate: own }, null)).toMatch(/, 4 requests\/s by this process \(60 for all\)$/)
    expect(
      progressLine({ ...picture, states: states({ requested: 8 }), rate: { now: 0, limit: 60, shared: false } }, null),
    ).toMatch(/, 8\/8 sent, 0 final$/)
  })

  test('shows a full bar for a run without rows', () => {
    expect(progressLine(picture, null)).toBe(`[${'#'.repeat(24)}] 8 rows read, 0/0 sent, 0 final`)
  })
})

describe('progress', () => {
  const open = (isTTY: boolean, columns = 80) => {
    const written: string[] = []
    const clock = steppedClock()
    const stream = {
      write: (text: string) => written.push(text) > 0,
      isTTY,
      columns,
    } as unknown as NodeJS.WritableStream
    return { written, clock, progress: openProgressDisplay(stream, clock) }
  }
  const at = (issued: number) =>
    ({ phase: 'working', readRows: 10, states: states({ issued, requested: 10 - issued }), rate: null }) as const

  test('rewrites one line on a terminal, truncated to its width, and clears the line at the end', () => {
    const { written, progress } = open(true, 30)
    progress.show(at(1))
    progress.show(at(1))
    progress.show(at(2))
    progress.end()
    expect(written).toHaveLength(3)
    const line = (written[0] ?? '').replace('\r\x1b[2K', '')
    expect(line).toHaveLength(29)
    expect(written[2]).toBe('\r\x1b[2K')
  })

  test('writes plain lines at intervals if there is no terminal, with an estimate from the rate of settled rows', async () => {
    const { written, clock, progress } = open(false)
    progress.show(at(0))
    await clock.advance(4_000)
    progress.show(at(1))
    expect(written).toHaveLength(1)
    await clock.advance(1_000)
    progress.show(at(5))
    progress.end()
    expect(written).toHaveLength(2)
    expect(written[1]).toMatch(/5 final, about 5s left\n$/)
    expect(written.join('')).not.toContain('\x1b')
  })

  test('prints nothing before the first row is read, and prints the last state at the end if there is no terminal', () => {
    const { written, progress } = open(false)
    progress.show({ ...at(0), phase: 'reading', readRows: 0 })
    progress.show(at(0))
    progress.show(at(1))
    progress.show(at(10))
    progress.end()
    expect(written).toHaveLength(2)
    expect(written[0]).toContain('0 final')
    expect(written[1]).toMatch(/10 final\n$/)
  })
})
