// Invalid rows are written to a file, resubmitted and read again: rows are accepted only once they are fixed.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { openSource } from '#src/files/tables/open-source.ts'
import { openTableWriter } from '#src/files/tables/table-writer.ts'
import { openRowCheck } from '#src/issuing/intake/row-check.ts'
import { invalidHeader, invalidLine } from '#src/issuing/results/result-lines.ts'
import type { StagedRow } from '#src/ledger/runs/intake.ts'
import { aField, courseFields } from '#test/src/domain/recipient/fields.ts'
import { aCourse, aResultRow } from '#test/support/domain-objects.ts'
import { withFile } from '#test/support/read-source.ts'
import { inlineRow, writeWorkbook } from '#test/support/written-workbook.ts'

const hasher = new Hasher(Buffer.alloc(32, 1))
const fields = [...courseFields, aField('Register Number'), aField('Grade')]
const columns = {
  Email: 'e_mail',
  'First Name': 'given',
  'Last Name': 'family',
  'Primary Value': { value: 'Email' },
}
type Columns = Parameters<typeof openRowCheck>[0]['pipeline']['columns']

interface Round {
  header: string[]
  format: 'csv' | 'xlsx'
  rows: StagedRow[]
  invalid: StagedRow[]
  accepted: Record<string, string>[]
  rules: string[][]
}

/** Reads and checks a file like the intake. */
const read = (bytes: string | Buffer, more: Columns = {}): Promise<Round> =>
  withFile(bytes, async (path) => {
    await using source = await openSource(path)
    const { header, format } = source
    const pipeline = { columns: { ...columns, ...more }, identity: [], occurrence: [], correlation: undefined }
    const check = openRowCheck({ pipeline, fields, header, course: aCourse, hasher })
    const rows: StagedRow[] = []
    for await (const batch of source.batches()) rows.push(...batch.map(check.row))
    const invalid = rows.filter((row) => row.violations !== null)
    return {
      header,
      format,
      rows,
      invalid,
      // A rejected row may still identify its person.
      accepted: rows.flatMap(({ recipient, violations }) => (recipient && !violations ? [{ ...recipient }] : [])),
      rules: invalid.map(({ violations }) => (violations as { rule: string }[]).map(({ rule }) => rule)),
    }
  })

/** The invalid-rows file, with `fix` applied to each line. */
async function sendBack(round: Round, fix: (line: string[], header: string[]) => string[] = (line) => line) {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-loop-'))
  try {
    const path = join(folder, 'invalid')
    const header = invalidHeader(round.header)
    const writer = await openTableWriter(path, { format: round.format, header })
    for (const { row, cells, violations } of round.invalid) {
      const line = aResultRow({ row, outcome: 'invalid', cells: [...cells], violations: violations as never })
      await writer.write(fix(invalidLine(line, round.header), header))
    }
    await writer.close()
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const setCell = (name: string, value: string) => (line: string[], header: string[]) =>
  line.map((cell, index) => (header[index] === name ? value : cell))
const applyAll =
  (...fixes: ((line: string[], header: string[]) => string[])[]) =>
  (line: string[], header: string[]) =>
    fixes.reduce((fixed, fix) => fix(fixed, header), line)
const clearMarker = setCell('empty_when_mended', '')

const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
/** A workbook with one person, whose address is followed by `cells`. */
const workbook = (titles: string[], cells: string) =>
  writeWorkbook({ rows: `${inlineRow('e_mail', ...titles)}<row>${text('ada@example.org')}${cells}</row>`, styles })
const person = ['given', 'family']
const csv = (...lines: string[]) => `${lines.join('\n')}\n`

/** Files with one rejected row each, and how to fix the line in the invalid-rows file. */
const files: [string, string | Buffer, Columns, (line: string[], header: string[]) => string[]][] = [
  [
    'with a row of too many cells',
    csv('e_mail,given,family', 'a@example.org,van, der Berg,Jan,extra'),
    {},
    clearMarker,
  ],
  ['with an error cell', workbook(person, `<c t="e"><v>#N/A</v></c>${text('L')}`), {}, setCell('given', 'Ada')],
  [
    'with a number that lost zeros',
    workbook([...person, 'Register Number'], `${text('A')}${text('L')}<c><v>123</v></c>`),
    {},
    applyAll(setCell('Register Number', '00123'), clearMarker),
  ],
  [
    'with a formula for a number that lost zeros',
    workbook([...person, 'Register Number'], `${text('A')}${text('L')}<c><f>A1</f><v>123</v></c>`),
    {},
    clearMarker,
  ],
  [
    'with a formula that was never calculated',
    workbook([...person, 'Grade'], `${text('A')}${text('L')}<c><f>A1</f></c>`),
    {},
    applyAll(setCell('Grade', '1.0'), clearMarker),
  ],
  ['with a Boolean for a name', workbook(person, `<c t="b"><v>1</v></c>${text('L')}`), {}, clearMarker],
  [
    'with a control character, which a workbook cannot contain',
    workbook([...person, 'note'], `${text('A_x0001_da')}${text('L')}${text('x')}`),
    {},
    clearMarker,
  ],
  [
    'with a real date and a declared format, and no name',
    workbook([...person, 'born'], `<c/>${text('L')}<c s="1"><v>33238</v></c>`),
    { 'Birth Date': { column: 'born', date: 'DD.MM.YYYY' } },
    setCell('given', 'Ada'),
  ],
  [
    'with cells that look like formulas',
    csv('e_mail,given,family,Contact Number,Grade', 'a@example.org,,-,+4930123456,=>17'),
    {},
    setCell('given', 'Ada'),
  ],
  [
    'with a text in a formula, and no name',
    csv('e_mail,given,family,Register Number', 'a@example.org,,L,="000123"'),
    {},
    setCell('given', 'Ada'),
  ],
  [
    'with a column whose name looks like a formula',
    csv('e_mail,given,+family,note', 'a@example.org,,L,x'),
    { 'Last Name': '+family' },
    setCell('given', 'Ada'),
  ],
]

describe('the invalid-rows file', () => {
  test.each(files)(
    'of a file %s has no row accepted, however often it is resubmitted unchanged',
    async (_, bytes, more) => {
      let round = await read(bytes, more)
      expect(round.accepted).toEqual([])
      const first = round.rows[0]?.cells
      for (let count = 0; count < 2; count++) {
        round = await read(await sendBack(round), more)
        expect(round.accepted).toEqual([])
        expect(round.invalid).toHaveLength(1)
      }
      const written = JSON.stringify(round.rows[0]?.cells)
      for (const cell of first ?? [])
        if (cell !== 'A\u0001da') expect(written).toContain(JSON.stringify(cell).slice(1, -1))
    },
  )

  test.each(files)('of a file %s is accepted once the row is fixed', async (_, bytes, more, fix) => {
    const first = await read(bytes, more)
    const fixed = await read(await sendBack(first, fix), more)
    expect(fixed.rules).toEqual([])
    expect(fixed.accepted).toHaveLength(1)
    // A fix in the second round has the same result as in the first.
    const second = await read(await sendBack(await read(await sendBack(first), more), fix), more)
    expect(second.accepted).toEqual(fixed.accepted)
  })

  test('keeps dates and formulas', async () => {
    const [, dated, declared, fixName] = files.find(([name]) => name.includes('declared')) as (typeof files)[number]
    const born = await read(await sendBack(await read(dated, declared), fixName), declared)
    expect(born.accepted).toMatchObject([{ 'Birth Date': '1990-12-31' }])
    const [, guarded, none, fix] = files.find(([name]) => name.includes('formulas')) as (typeof files)[number]
    const phone = await read(await sendBack(await read(guarded, none), fix), none)
    const [, text, , fixText] = files.find(([name]) => name.includes('text in a formula')) as (typeof files)[number]
    const spelled = await read(text)
    expect(spelled.rows[0]?.cells[3]).toBe('="000123"')
    expect((await read(await sendBack(spelled, fixText))).accepted).toMatchObject([{ 'Register Number': '000123' }])
    expect(phone.accepted).toMatchObject([{ 'Last Name': '-', 'Contact Number': '+4930123456', Grade: '=>17' }])
  })

  test('reports that a row is still marked in addition to its other violations', async () => {
    const first = await read(csv('e_mail,given,family', 'a@example.org,Solo'))
    const again = await read(await sendBack(first, setCell('given', '')))
    expect(again.rules).toEqual([['required', 'not_mended']])
    expect(JSON.stringify(again.invalid)).toContain('still in “empty_when_mended”')
  })

  test('is recognized by its marker column alone if the leading columns were removed', async () => {
    const first = await read(csv('e_mail,given,family', 'a@example.org,-'))
    const back = (await sendBack(first)).toString().replace(/^\ufeff/, '')
    const cut = back
      .split('\r\n')
      .map((line, index) =>
        index === 0 ? line.replace(/^row,column,rule,what_to_do,/, '') : line.slice(line.indexOf('a@')),
      )
    expect(cut[0]).toBe('e_mail,given,family,empty_when_mended')
    expect(cut[1]).toContain("'-")
    const again = await read(cut.join('\r\n'))
    expect(again.rules).toEqual([['not_mended']])
    expect(again.rows[0]?.cells.slice(0, 2)).toEqual(['a@example.org', '-'])
  })

  test('keeps the exact value of every cell', async () => {
    const cell = fc.oneof(fc.string(), fc.stringMatching(/^'{0,2}[=+@-][a-z']{0,3}$/))
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 20 }), async (notes) => {
        const clean = notes.map((note) => note.toWellFormed().replaceAll('\0', '').replaceAll('"', '').trim())
        const first = await read(csv('e_mail,given,family,note', ...clean.map((note) => `a@example.org,,L,"${note}"`)))
        const again = await read(await sendBack(first))
        const at = again.header.indexOf('note')
        expect(again.rows.map(({ cells }) => cells[at])).toEqual(first.rows.map(({ cells }) => cells[3]))
      }),
      { numRuns: 15 },
    )
  })
})
