// The lines, format and names of results files and invalid-rows files.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { states } from '#src/domain/credential/state.ts'
import { describeRule } from '#src/domain/recipient/describe-rule.ts'
import { safeFileName } from '#src/issuing/results/outbox.ts'
import {
  invalidHeader,
  invalidLine,
  resultFormat,
  resultHeader,
  resultLine,
} from '#src/issuing/results/result-lines.ts'
import { aResultRow } from '#test/support/domain-objects.ts'

const header = ['e_mail', 'name']
const violation = (column: string, rule: string, sentence: string) => ({ column, field: column, rule, sentence })
const invalid = aResultRow({
  outcome: 'invalid',
  state: null,
  issuanceId: null,
  credentialId: null,
  verifierLink: null,
  issueDate: null,
  violations: [violation('e_mail', 'pattern', 'Fix it.'), violation('e_mail', 'max_length', 'Shorten it.')],
})

describe('a line of the results', () => {
  test('has the columns of the source, then the outcome of the row', () => {
    expect(resultHeader(header)).toEqual([
      'e_mail',
      'name',
      'status',
      'credential_id',
      'verifier_link',
      'issue_date',
      'valid_till',
      'reason',
    ])
    const line = ['ada@example.org', 'Ada', 'issued', 'C-1', 'https://verify.example.org/C-1', '2026-03-01', '', '']
    expect(resultLine(aResultRow(), header)).toEqual(line)
  })

  test('uses a different column name if the source has a column with that name', () => {
    const names = resultHeader(['Status', 'REASON'])
    expect(names).toContain('credsync_status')
    expect(names).toContain('credsync_reason')
    expect(names).not.toContain('status')
  })

  test('has its cells under the right headers, however ragged the row is', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string(), { minLength: 1 }), (cells, source) => {
        const row = aResultRow({ cells })
        expect(resultLine(row, source)).toHaveLength(resultHeader(source).length)
        expect(invalidLine(row, source)).toHaveLength(invalidHeader(source).length)
        expect(resultLine(row, source)[source.length]).toBe('issued')
      }),
    )
  })

  test('for a skipped row gives the reason, and the state and ids of the known credential', () => {
    const skipped = aResultRow({ outcome: 'skipped', skipReason: 'the same person as row 2 of this file' })
    expect(resultLine(skipped, header).slice(2, 4)).toEqual(['skipped', 'C-1'])
    expect(resultLine(skipped, header).at(-1)).toBe('the same person as row 2 of this file; state: issued')
  })

  test.each(states)(
    'for a row whose data differ from the ledger shows no details of the known credential, which is %s',
    (state) => {
      const skipReason =
        'known from row 7 of list.csv, and Grade differs: a correction, which is never issued automatically'
      const row = aResultRow({ outcome: 'skipped', state, skipReason, changedFields: ['Grade'], reason: 'a reason' })
      expect(resultLine(row, header).slice(2)).toEqual(['changed', '', '', '', '', skipReason])
    },
  )

  test.each(states)('for a row that is %s says so, and shows ids only if it was issued', (state) => {
    const [status, ...ids] = resultLine(aResultRow({ state, validTill: '2027-03-01' }), header).slice(2, 7)
    expect(status).toBe(state)
    const hasIds = state === 'issued' || state === 'revoked'
    const issuedIds = ['C-1', 'https://verify.example.org/C-1', '2026-03-01', '2027-03-01']
    expect(ids).toEqual(hasIds ? issuedIds : ['', '', '', ''])
  })

  test('for a waiting row gives the reason', () => {
    const pending = aResultRow({ state: 'pending', reason: 'the course is paused', credentialId: null })
    expect(resultLine(pending, header)[2]).toBe('pending')
    expect(resultLine(pending, header).at(-1)).toBe('the course is paused')
  })

  const issued = ['C-1', 'https://verify.example.org/C-1', '2026-03-01', '']
  const nothing = ['', '', '', '']
  test.each<[string, Parameters<typeof aResultRow>[0], string[]]>([
    ['skipped for no stated reason', { outcome: 'skipped' }, ['skipped', ...issued, 'already known; state: issued']],
    [
      'changed for no stated reason',
      { outcome: 'skipped', changedFields: ['Grade'], reason: 'another' },
      ['changed', ...nothing, ''],
    ],
    ['accepted but not in the ledger', { state: null, reason: 'a reason' }, ['', ...nothing, 'a reason']],
    ['issued with nothing shown', { credentialId: null, verifierLink: null }, ['issued', '', '', '2026-03-01', '', '']],
    ['invalid without violations', { outcome: 'invalid', state: null }, ['invalid', ...nothing, '']],
  ])('for a row that is %s has every column', (_, more, outcome) => {
    expect(resultLine(aResultRow(more), header).slice(2)).toEqual(outcome)
  })

  test.each<Parameters<typeof aResultRow>[0]>([
    {},
    { outcome: 'skipped', skipReason: 'known', changedFields: ['Grade'] },
    { outcome: 'invalid', state: null, violations: [violation('e_mail', 'pattern', 'ada@example.org is wrong.')] },
  ])('for a forgotten person shows nothing but that and when, whatever is left in the ledger', (more) => {
    const row = aResultRow({ ...more, raw: [[1, 7]], reason: 'Ada', forgottenAt: new Date('2026-05-06T23:59:59Z') })
    const line = ['', '', 'forgotten', '', '', '', '', 'forgotten on 2026-05-06']
    expect(resultLine(row, header)).toEqual(line)
  })

  test('keeps the type of each cell of a workbook that was not text, if the cell is still there', () => {
    const source = ['e_mail', 'born', 'passed', 'empty', 'note']
    const raw: [number, number | boolean, string?][] = [
      [1, 33_238, 'dd.mm.yyyy'],
      [2, true],
      [3, 7],
      [9, 8],
    ]
    const cells = ['ada@example.org', '31.12.1990', 'TRUE', '', 'x', 'beyond']
    expect(resultLine(aResultRow({ cells, raw }), source).slice(0, 6)).toEqual([
      'ada@example.org',
      { text: '31.12.1990', value: 33_238, format: 'dd.mm.yyyy' },
      { text: 'TRUE', value: true, format: undefined },
      '',
      'x',
      'issued',
    ])
  })
})

describe('a line of the invalid-rows file', () => {
  test('for a forgotten person shows only its number and what to do', () => {
    const row = { ...invalid, cells: ['ada@example.org', 'x', 'y'], forgottenAt: new Date('2026-05-06T00:00:00Z') }
    const sentence = 'forgotten on 2026-05-06; leave this line out when you submit the file again'
    expect(invalidLine(row, header)).toEqual(['2', '', 'forgotten', sentence, '', '', ''])
  })

  test('names each column, rule and remedy once, and none that is empty', () => {
    const violations = [
      violation('name', 'text', 'Type it again.'),
      violation('', 'ragged-row', 'Count the cells.'),
      violation('e_mail', 'text', 'Type it again.'),
    ]
    const cells = ['ada@example.org']
    expect(invalidHeader(['e_mail'])).toEqual(['row', 'column', 'rule', 'what_to_do', 'e_mail', 'empty_when_mended'])
    expect(invalidLine({ ...invalid, row: 17, violations, cells }, header)).toEqual([
      ...['17', 'name; e_mail', 'text; ragged-row', 'Type it again. Count the cells.', 'ada@example.org', ''],
      'the row does not have as many cells as the header',
    ])
    expect(invalidLine({ ...invalid, violations: null, cells }, header)).toEqual(['2', '', '', '', cells[0], '', ''])
  })

  test('uses a different column name if the source has a column with that name', () => {
    expect(invalidHeader(['Row'])[0]).toBe('credsync_row')
    expect(resultHeader(['status', 'credsync_status'])).toContain('credsync_status_2')
  })

  test('has the added columns once, however often the file is resubmitted', () => {
    for (const source of [
      ['e_mail', 'name'],
      ['Row', 'name', 'credsync_rule'],
      ['column', 'Empty_When_Mended'],
    ]) {
      const first = invalidHeader(source)
      expect(invalidHeader(first)).toEqual(first)
      const line = invalidLine(aResultRow({ ...invalid, cells: ['a', 'b', 'c'] }), source)
      const again = invalidLine(aResultRow({ ...invalid, row: 9, cells: line }), first)
      expect(again).toEqual(['9', ...line.slice(1)])
    }
  })

  test('replaces columns that earlier versions wrote twice', () => {
    const ours = ['row', 'column', 'rule', 'what_to_do']
    const duplicated = [...ours.map((name) => `credsync_${name}`), ...ours, 'e_mail']
    expect(invalidHeader(duplicated)).toEqual([...ours, 'e_mail', 'empty_when_mended'])
  })

  test('keeps cells without a header', () => {
    const ragged = { ...invalid, violations: [violation('', 'ragged-row', 'The row has 4 cells.')] }
    expect(invalidLine({ ...ragged, cells: ['ada@example.org', 'van', 'Jan', '', 'extra'] }, header).at(-1)).toBe(
      'the row does not have as many cells as the header; cells beyond the last column: Jan | extra',
    )
  })

  test.each([
    'ragged-row',
    'invalid-characters',
    'cell-too-long',
    'formula-without-value',
    'number_lost_zeros',
    'number_format',
    'date_cell',
    'boolean_cell',
    'unique',
    'person_twice',
  ])('is marked if its cells do not show that it violates %s', (rule) => {
    const line = invalidLine({ ...invalid, violations: [violation('name', rule, 'Fix it.')] }, header)
    expect(line.at(-1)).toBe(describeRule(rule, 'name'))
  })

  test('that was resubmitted with its marker keeps the marker', () => {
    const marked = { ...invalid, violations: [violation('', 'not_mended', 'Fix it.')], cells: ['a', 'b', 'a reason'] }
    expect(invalidLine(marked, [...header, 'empty_when_mended']).at(-1)).toBe('a reason')
  })

  test('has every reason once in its marker, but no empty one', () => {
    const source = [...header, 'empty_when_mended']
    const violations = ['unique', 'unique', 'pattern', 'date_cell'].map((rule) => violation('name', rule, 'Fix it.'))
    const reasons = [describeRule('unique', 'name'), describeRule('date_cell', 'name')]
    expect(invalidLine({ ...invalid, violations, cells: ['a', 'b', ' '] }, source).at(-1)).toBe(reasons.join('; '))
    const kept = reasons[0] ?? ''
    expect(invalidLine({ ...invalid, violations, cells: ['a', 'b', kept] }, source).at(-1)).toBe(reasons.join('; '))
    expect(invalidLine({ ...invalid, violations: null, cells: ['a', 'b'] }, source).at(-1)).toBe('')
    const surplus = { ...invalid, violations: null, cells: ['a', 'b', 'kept', 'c', '', 'd'] }
    expect(invalidLine(surplus, source).at(-1)).toBe('kept; cells beyond the last column: c | d')
  })
})

describe('the format of the results', () => {
  test.each<['csv' | 'xlsx' | null, number, 'csv' | 'xlsx']>([
    ['csv', 10, 'csv'],
    ['csv', 100_000, 'csv'],
    ['xlsx', 50_000, 'xlsx'],
    ['xlsx', 50_001, 'csv'],
    [null, 10, 'csv'],
  ])('for a source that is %s with %i rows is %s', (format, rows, expected) => {
    expect(resultFormat({ format, separator: null, rows })).toEqual({ format: expected })
  })

  test('keeps the separator of a CSV', () => {
    expect(resultFormat({ format: 'csv', separator: ';', rows: 1 })).toEqual({ format: 'csv', separator: ';' })
    expect(resultFormat({ format: 'xlsx', separator: ';', rows: 1 })).toEqual({ format: 'xlsx' })
  })
})

describe('the outbox', () => {
  test.each([
    ['people.csv', 'people'],
    ['März 2026.xlsx', 'März-2026'],
    ['../../etc/passwd', 'etc-passwd'],
    ['C:\\people.csv', 'C-people'],
    ['.hidden', 'hidden'],
    ['...', 'source'],
    ['', 'source'],
    ['a\nb\0c.csv', 'a-b-c'],
    ['a'.repeat(200), 'a'.repeat(120)],
    ['क'.repeat(85), 'क'.repeat(40)],
    [`a${'\u{10400}'.repeat(60)}`, `a${'\u{10400}'.repeat(29)}`],
  ])('converts the source name %j to “%s”', (given, safe) => {
    expect(safeFileName(given)).toBe(safe)
  })

  test('never creates a name that leads out of its folder', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(safeFileName(name)).toMatch(/^[\p{L}\p{N}_-][\p{L}\p{N}._-]*$/u)
        expect(Buffer.byteLength(safeFileName(name))).toBeLessThanOrEqual(120)
      }),
      { numRuns: 200 },
    )
  })
})
