// A run in a document, in words and as a bar: pure, by tables.

import { describe, expect, test } from 'vitest'
import { openProgress, progressLine } from '#src/cli/progress.ts'
import { noStates, type StateCounts } from '#src/issuance/state.ts'
import type { Run } from '#src/ledger/runs.ts'
import { emptyDocument, runDocument } from '#src/write-back/run-document.ts'
import { summaryLines } from '#src/write-back/run-summary.ts'
import { documentKeys } from '#test/src/cli/documents.ts'
import { aRun } from '#test/support/build.ts'
import { steppedClock } from '#test/support/clock.ts'

const states = (counts: Partial<StateCounts> = {}): StateCounts => ({ ...noStates(), ...counts })

const run = aRun()

describe('the document of a run', () => {
  test('has its keys in their order, and nothing else of the run', () => {
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
    ['both sums hold and the report agrees', run, { issued: 5, held: 2 }, 0, true],
    ['the states are one short', run, { issued: 6 }, 0, false],
    ['the states are one too many', run, { issued: 8 }, 0, false],
    ['the rows are one too many', { ...run, rows: 11 }, { issued: 7 }, 0, false],
    ['the report shows an item beyond those asked for', run, { issued: 7 }, 1, false],
  ])('when %s, balanced follows', (_, of, counts, surplus, balanced) => {
    expect(runDocument(of, states(counts), surplus).balanced).toBe(balanced)
  })

  test('is not balanced when nothing was taken, for nothing was compared', () => {
    expect(emptyDocument('spring', 'people.csv')).toMatchObject({ run: null, rows: 0, balanced: false })
  })
})

describe('the summary of a run', () => {
  const lines = (counts: Partial<StateCounts>, more: Partial<Run> = {}, surplus = 0) =>
    summaryLines(runDocument({ ...run, ...more }, states(counts), surplus)).join('\n')

  test('names every state that has rows and no other', () => {
    const text = lines({ issued: 4, rejected: 1, unconfirmed: 2 })
    expect(text).toContain('10 rows = 7 accepted + 1 invalid + 2 skipped (in the ledger already, or twice in the file)')
    expect(text).toContain('      4 issued\n')
    expect(text).toContain('      1 rejected (rejected by the certification body)')
    expect(text).toContain('      2 unconfirmed (sent, outcome unknown: the report is asked)')
    expect(text).not.toMatch(/pending|held|failed|revoked/)
  })

  test('counts invalid, rejected, failed and held rows as those that need a person', () => {
    expect(lines({ rejected: 1, failed: 2, held: 3, issued: 1 })).toMatch(
      /^ {2}7 rows need a person: 1 invalid, 1 rejected, 2 failed, 3 held$/m,
    )
    expect(lines({ issued: 7 }, { invalid: 0, rows: 9 })).not.toMatch(/needs? a person/)
  })

  test('tells new from known and changed rows, and what a changed one is, only where there is one', () => {
    const text = lines({ issued: 7 }, { known: 1, changed: 1 })
    expect(text).toMatch(/^ {2}7 new, 1 known, 1 changed$/m)
    expect(text).toContain(
      '  1 row has other data than the ledger knows: corrections, which are never issued by themselves.',
    )
    expect(lines({ issued: 7 })).toMatch(/^ {2}7 new, 2 known, 0 changed$/m)
    expect(lines({ issued: 9 }, { skipped: 0, known: 0, accepted: 9 })).not.toMatch(/known,|other data/)
  })

  test('says who is gone, and that nothing is done about it', () => {
    const of = (more: Partial<Run>) => {
      const now = { ...run, lastList: 'march.csv, 2026-03-01', ...more }
      return summaryLines(runDocument(now, states({ issued: 7 }), 0), now).join('\n')
    }
    expect(of({ gone: 12, invalid: 0 })).toMatch(
      /^ {2}12 people of the last list \(march\.csv, 2026-03-01\) are not in this one; nothing is done about them\.$/m,
    )
    expect(of({ gone: 1 })).toContain(
      '  1 person of the last list (march.csv, 2026-03-01) is not in this one, unless in',
    )
    expect(of({ gone: 0 })).not.toContain('last list')
  })

  test('speaks of one row as one', () => {
    const text = lines({ held: 1 }, { rows: 1, invalid: 0, skipped: 0, accepted: 1 })
    expect(text).toContain('  1 row = 1 accepted + 0 invalid')
    expect(text).toMatch(/^ {2}1 row needs a person: 1 held$/m)
  })

  test('says so when the report shows more than was asked for, and where the files are', () => {
    expect(lines({ issued: 7 }, {}, 1)).toContain('The report shows more credentials')
    expect(lines({ issued: 7 })).not.toContain('The report shows more')
    expect(lines({ issued: 7 }, { invalidPath: '/out/invalid.csv' })).toMatch(
      /results +\/out\/results\.csv\n +invalid rows +\/out\/invalid\.csv$/,
    )
  })
})

describe('the line of progress', () => {
  const picture = { phase: 'working', readRows: 8, states: states(), rate: null } as const

  test('counts rows while the file is read', () => {
    expect(progressLine({ ...picture, phase: 'reading' }, null)).toBe('reading: 8 rows')
  })

  test('shows sent and final rows apart, with a bar of the final ones', () => {
    const now = states({ pending: 1, sending: 1, requested: 2, issued: 3, held: 1 })
    expect(progressLine({ ...picture, states: now }, null)).toBe(
      `[${'#'.repeat(12)}${'-'.repeat(12)}] 8 rows read, 6/8 sent, 4 final, 1 held`,
    )
  })

  test('adds the rate and the time left where they are known', () => {
    const line = progressLine(
      { ...picture, states: states({ pending: 8 }), rate: { now: 58, limit: 60, shared: false } },
      125_000,
    )
    expect(line).toMatch(/, 58 of 60 requests\/s, about 2m 5s left$/)
  })

  test('leaves the rate out when nothing was sent in the last second', () => {
    const own = { now: 4, limit: 60, shared: true }
    expect(progressLine({ ...picture, rate: own }, null)).toMatch(/, 4 requests\/s by this process \(60 for all\)$/)
    expect(
      progressLine({ ...picture, states: states({ requested: 8 }), rate: { now: 0, limit: 60, shared: false } }, null),
    ).toMatch(/, 8\/8 sent, 0 final$/)
  })

  test('is full, not broken, for a run without rows', () => {
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
    return { written, clock, progress: openProgress(stream, clock) }
  }
  const at = (issued: number) =>
    ({ phase: 'working', readRows: 10, states: states({ issued, requested: 10 - issued }), rate: null }) as const

  test('rewrites one line on a terminal, cut to its width, and clears it at the end', () => {
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

  test('writes a plain line now and then elsewhere, with an estimate from how fast rows came to rest', async () => {
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

  test('is silent before the first row is read, and ends with the last picture where no terminal showed it', () => {
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
