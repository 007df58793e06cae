// A run as a JSON document, as a text summary and as a progress bar.

import { describe, expect, test } from 'vitest'
import { openProgressDisplay, progressLine } from '#src/cli/progress-display.ts'
import { states as allStates, noStates, type StateCounts } from '#src/domain/credential/state.ts'
import { emptyDocument, runDocument } from '#src/issuing/results/run-document.ts'
import { brakeLines, brakeReason, summaryLines } from '#src/issuing/results/run-summary.ts'
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
    expect(document).toEqual({
      ...{ run: run.id, pipeline: 'spring', source: 'people.csv' },
      ...{ rows: 10, invalid: 1, skipped: 2, accepted: 7, states: states({ issued: 7 }), balanced: true },
      ...{ results: '/out/results.csv', invalidRows: null, known: 2, changed: 0, notMeant: 0 },
      ...{ forgotten: 0, problems: [] },
    })
    const others = { invalidPath: '/out/invalid.csv', resultsPath: null, known: 1, changed: 1 }
    const problems = [{ field: 'Email', rule: 'email', rows: 1, examples: [2], value: null }]
    expect(runDocument({ ...run, ...others }, states(), 0, problems)).toMatchObject({
      ...{ results: null, invalidRows: '/out/invalid.csv', known: 1, changed: 1, problems },
    })
  })

  test('of a command that processed nothing has every key', () => {
    const empty = emptyDocument('spring', 'people.csv')
    expect(Object.keys(empty)).toEqual(documentKeys)
    expect(empty).toEqual({
      ...{ run: null, pipeline: 'spring', source: 'people.csv' },
      ...{ rows: 0, invalid: 0, skipped: 0, accepted: 0, states: states(), balanced: false },
      ...{ results: null, invalidRows: null, known: 0, changed: 0, notMeant: 0 },
      ...{ forgotten: 0, problems: [] },
    })
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

  test('says how many of the skipped rows are not meant', () => {
    const text = lines({ issued: 7 }, { known: 0, notMeant: 2 })
    expect(text).toContain('2 skipped (in the ledger already, not meant, or twice in the file)')
    expect(text).toContain('\n  7 new, 0 known, 0 changed, 2 not meant\n')
  })

  test('counts invalid, rejected, failed and held rows as rows that need attention', () => {
    expect(lines({ rejected: 1, failed: 2, held: 3, issued: 1 })).toMatch(
      /^ {2}7 rows need attention: 1 invalid, 1 rejected, 2 failed, 3 held$/m,
    )
    expect(lines({ issued: 7 }, { invalid: 0, rows: 9 })).not.toMatch(/attention/)
  })

  test('distinguishes new, known and changed rows, and explains changed ones only if there are any', () => {
    const text = lines({ issued: 7 }, { known: 1, changed: 1 })
    expect(text).toMatch(/^ {2}7 new, 1 known, 1 changed$/m)
    expect(text).toContain('  1 row differs from the ledger: corrections, which are never issued automatically.')
    expect(lines({ issued: 7 })).toMatch(/^ {2}7 new, 2 known, 0 changed$/m)
    expect(lines({ issued: 9 }, { skipped: 0, known: 0, accepted: 9 })).not.toMatch(/known,|differs? from/)
  })

  test('counts rows of forgotten people, which may be skipped, only if there are any', () => {
    const text = lines({ issued: 7 }, { forgotten: 2 })
    expect(text).toContain('2 skipped (in the ledger already, forgotten, or twice in the file)')
    expect(text).toMatch(/^ {2}2 rows of people who were forgotten: the data of these rows were deleted$/m)
    expect(lines({ issued: 7 })).not.toContain('forgotten')
  })

  test('says in words what each state means', () => {
    const found = lines(Object.fromEntries(allStates.map((state) => [state, 1])))
    expect(found.split('\n').filter((line) => /^ {8}1 /.test(line))).toEqual([
      '        1 pending (not yet sent)',
      '        1 sending (being sent)',
      '        1 unconfirmed (sent, outcome unknown: the report decides)',
      '        1 requested (sent, and accepted by the service)',
      '        1 in_progress (being issued)',
      '        1 issued',
      '        1 rejected (rejected by the certification body)',
      '        1 failed (the service refused it or gave up on it)',
      '        1 held (a person must decide)',
      '        1 revoked',
    ])
  })

  test('of completions says how they are corrected, and where', () => {
    const now = aRun({
      ...{ sourcePath: 'completions:campus', sourceName: 'campus', changed: 2 },
      ...{ resultsPath: null, rows: 10 },
    })
    const problems = [{ field: 'Email', rule: 'unique', rows: 1, examples: [2], value: null }]
    expect(summaryLines(runDocument(now, states({ issued: 7 }), 0, problems), now.sourcePath)).toEqual([
      `campus → spring (run ${run.id})`,
      '  10 rows = 7 accepted + 1 invalid + 2 skipped (in the ledger already, or twice among these)',
      '  7 new, 2 known, 2 changed',
      '  2 rows differ from the ledger: corrections, which are never issued automatically. `credsync correct` lists them.',
      '        7 issued',
      '  1 row needs attention: 1 invalid',
      '  1 row: “Email” is the same for another person in another row, and the course requires it to be unique; row 2',
      '    → In the learning system, correct the value that is wrong; the list of invalid rows names the earlier row with the same value.',
      "  These rows are completions, not rows of a file: fix the data in campus, or the pipeline's columns. They are tried again automatically once their data changes; a Moodle site is polled every night.",
    ])
    const noneInvalid = { ...now, invalid: 0, accepted: 8 }
    const text = summaryLines(runDocument(noneInvalid, states({ issued: 8 }), 0), now.sourcePath).join('\n')
    expect(text).not.toMatch(/These rows are completions|attention/)
    expect(lines({ issued: 7 }, { changed: 1 })).toContain('The results say which fields differ.')
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

describe('a run that the brake holds', () => {
  const brake = { accepted: 900, usual: 40, because: 'It would issue 900 people.', shown: false, adopted: false }
  const linesFor = (more: Partial<typeof brake>) =>
    brakeLines({ id: 'r-1', pipeline: 'spring', brake: { ...brake, ...more } })
  const adopt =
    '    credsync adopt --pipeline spring   the credentials belong to this course: record them as known, then approve the run'
  const approve = (what: string) => `    credsync approve r-1   the run is right: read it again, and issue ${what}`
  const reject = '    credsync reject r-1    the run is wrong: issue nothing'

  test.each<[string, Partial<typeof brake>, string[]]>([
    [
      'because of its size',
      {},
      [
        '  It would issue 900 people. Nothing was issued. A person must decide:',
        approve('it regardless of its size'),
        reject,
      ],
    ],
    [
      'because of what the report shows',
      { shown: true },
      [
        '  It would issue 900 people. Nothing was issued. A person must decide:',
        adopt,
        approve('the people the ledger does not know'),
        reject,
      ],
    ],
    [
      'although what the report showed has been adopted',
      { shown: true, adopted: true },
      [
        '  The credentials that the report showed for its course have been adopted since. Nothing was issued. A person must decide:',
        approve('the people the ledger does not know'),
        reject,
      ],
    ],
  ])('%s says what the operator can do', (_, more, expected) => {
    expect(linesFor(more)).toEqual(expected)
  })

  test('without a reason is not explained', () => {
    expect(brakeReason(null)).toBe('')
  })
})

describe('the progress line', () => {
  const picture = { phase: 'working', readRows: 8, states: states(), waits: [] } as const

  test('counts rows while the file is read', () => {
    expect(progressLine({ ...picture, phase: 'reading' })).toBe('reading: 8 rows')
  })

  test('shows the numbers of sent and final rows, and a bar for the final rows', () => {
    const now = states({ pending: 1, sending: 1, requested: 2, issued: 3, held: 1 })
    expect(progressLine({ ...picture, states: now })).toBe(
      `[${'#'.repeat(12)}${'-'.repeat(12)}] 8 rows read, 6/8 sent, 4 final, 1 held`,
    )
  })

  test('shows a full bar for a run without rows', () => {
    expect(progressLine(picture)).toBe(`[${'#'.repeat(24)}] 8 rows read, 0/0 sent, 0 final`)
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
    ({ phase: 'working', readRows: 10, states: states({ issued, requested: 10 - issued }), waits: [] }) as const

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

  test('writes plain lines at intervals if there is no terminal', async () => {
    const { written, clock, progress } = open(false)
    progress.show(at(0))
    await clock.advance(4_000)
    progress.show(at(1))
    expect(written).toHaveLength(1)
    await clock.advance(1_000)
    progress.show(at(5))
    progress.end()
    expect(written).toHaveLength(2)
    expect(written[1]).toMatch(/5 final\n$/)
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
