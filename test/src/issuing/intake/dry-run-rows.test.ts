// The dry run of a file, also compared with publishing the same file. The comparison needs a database.

import { createHash, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { SourceRow } from '#src/files/tables/source.ts'
import { type Compare, dryRunRows, type KeyedRow } from '#src/issuing/intake/dry-run-rows.ts'
import { openRowCheck, type RowCheckInput } from '#src/issuing/intake/row-check.ts'
import { courseFields } from '#test/src/domain/recipient/fields.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const header = ['Email', 'First Name', 'Last Name', 'Birth Date']
const columns = { 'Primary Value': { value: 'Email' } }

function openCheck(hasher: Hasher, more: Partial<RowCheckInput['pipeline']> = {}) {
  const pipeline = { columns, identity: [], occurrence: [], correlation: undefined, ...more }
  return openRowCheck({ pipeline, fields: courseFields, header, course: aCourse, hasher })
}

async function* inBatches(rows: readonly SourceRow[], size = 3): AsyncGenerator<readonly SourceRow[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size)
}
const rowsOf = (cells: readonly string[][]) => cells.map((row, index) => ({ row: index + 2, cells: [...row] }))
const nobodyKnown = async (rows: readonly unknown[]) => rows.map(() => 'unknown' as const)

describe('a dry run', () => {
  const hasher = new Hasher(Buffer.alloc(32, 1))
  const dryRun = (cells: readonly string[][]) => dryRunRows(inBatches(rowsOf(cells)), openCheck(hasher), nobodyKnown)
  const ada = ['ada@example.org', 'Ada', 'King', '']
  const bob = ['bob@example.org', 'Bob', 'Bell', '1990-12-31']

  test('counts every row once, and groups the problems by kind', async () => {
    const found = await dryRun([ada, bob, ['x', 'X', '', 'soon'], ['y', '', '', ''], ada])
    expect(found).toMatchObject({ rows: 5, new: 2, known: 0, changed: 0, duplicates: 1, invalid: 2 })
    expect(found.problems).toEqual([
      { field: 'Email', rule: 'email', rows: 2, examples: [4, 5], value: '… (1 character)' },
      { field: 'Birth Date', rule: 'date', rows: 1, examples: [4], value: 'xxxx' },
      { field: 'First Name', rule: 'required', rows: 1, examples: [5], value: null },
    ])
  })

  test('rejects every row of a person who appears with two names, including rows already counted and later rows with the first name', async () => {
    const other = ['ada@example.org', 'Eve', 'King', '']
    const found = await dryRun([ada, bob, ada, other, ada, ada])
    expect(found).toMatchObject({ rows: 6, new: 1, duplicates: 0, invalid: 5 })
    expect(found.problems).toEqual([
      { field: '', rule: 'identity_conflict', rows: 5, examples: [2, 4, 5], value: null },
    ])
    expect(found.recipients.map((recipient) => recipient['First Name'])).toEqual(['… (3 characters)'])
  })

  test('compares valid rows with the ledger, and counts each row as what the ledger says', async () => {
    const [cem, dan] = ['cem', 'dan'].map((name) => [`${name}@example.org`, name, 'Miller', ''])
    const answers = new Map<string, 'known' | 'changed' | 'person twice'>([
      ['ada@example.org', 'known'],
      ['bob@example.org', 'changed'],
      ['cem@example.org', 'person twice'],
    ])
    const asked: KeyedRow[][] = []
    const compare: Compare = async (rows) => {
      asked.push([...rows])
      return rows.map(({ recipient }) => answers.get(recipient.Email ?? '') ?? 'unknown')
    }
    const rows = rowsOf([['x', 'X', '', ''], ada, bob, cem ?? [], dan ?? []])
    expect(await dryRunRows(inBatches(rows, 2), openCheck(hasher), compare)).toEqual({
      ...{ rows: 5, new: 1, known: 1, changed: 1, duplicates: 0, notMeant: 0, invalid: 2 },
      problems: [
        { field: 'Email', rule: 'email', rows: 1, examples: [2], value: '… (1 character)' },
        { field: 'Primary Value', rule: 'person_twice', rows: 1, examples: [5], value: null },
      ],
      recipients: [
        {
          ...{ Email: 'd…@e….org', 'First Name': '… (3 characters)', 'Last Name': 'M… (6 characters)' },
          'Primary Value': 'Email',
        },
      ],
      unmasked: [{ Email: 'dan@example.org', 'First Name': 'dan', 'Last Name': 'Miller', 'Primary Value': 'Email' }],
    })
    expect(asked.map((batch) => batch.map(({ recipient }) => recipient.Email))).toEqual([
      ['ada@example.org'],
      ['bob@example.org', 'cem@example.org'],
      ['dan@example.org'],
    ])
    const { recipient, issuanceKey, matchHashes } = openCheck(hasher).row({ row: 3, cells: ada })
    expect(asked[0]?.[0]).toMatchObject({ recipient, issuanceKey, matchHashes, imageSha256: null })
  })

  test('rejects a person whom the ledger knows by another field, unless the ledger knows the credential', async () => {
    const known = { find: ({ Email }: Readonly<Record<string, string>>) => (Email === 'bob@example.org' ? 7 : null) }
    const check = { ...openCheck(hasher), known }
    const other = ['bob@example.org', 'Eve', 'Bell', '']
    const found = await dryRunRows(inBatches(rowsOf([ada, bob, other])), check, nobodyKnown)
    expect(found).toMatchObject({ rows: 3, new: 1, known: 0, changed: 0, duplicates: 0, invalid: 2 })
    expect(found.problems).toEqual([
      { field: '', rule: 'identity_conflict', rows: 2, examples: [3, 4], value: null },
      { field: 'Primary Value', rule: 'person_twice', rows: 2, examples: [3, 4], value: null },
    ])
    const allKnown: Compare = async (rows) => rows.map(() => 'known')
    const again = await dryRunRows(inBatches(rowsOf([ada, bob])), check, allKnown)
    expect(again).toMatchObject({ rows: 2, known: 2, invalid: 0, problems: [] })
  })

  test('rejects every row of a person whose other name is in a row that was rejected for another reason', async () => {
    const other = ['ada@example.org', 'Eve', 'King', 'soon']
    const found = await dryRun([ada, bob, other])
    expect(found).toMatchObject({ rows: 3, new: 1, duplicates: 0, invalid: 2 })
    expect(found.problems).toEqual([
      { field: '', rule: 'identity_conflict', rows: 2, examples: [2, 4], value: null },
      { field: 'Birth Date', rule: 'date', rows: 1, examples: [4], value: 'xxxx' },
    ])
    expect(found.recipients).toHaveLength(1)
  })

  test('shows the first three new recipients with the values that would be sent, masked', async () => {
    const more = ['cleo', 'dan', 'eve'].map((name) => [`${name}@example.org`, name, 'Miller', ''])
    const { recipients } = await dryRun([bob, bob, ...more])
    expect(recipients.map((recipient) => ({ ...recipient }))).toEqual([
      {
        Email: 'b…@e….org',
        'First Name': '… (3 characters)',
        'Last Name': 'B… (4 characters)',
        'Birth Date': '9999-99-99',
        'Primary Value': 'Email',
      },
      expect.objectContaining({ Email: 'c…@e….org', 'First Name': 'c… (4 characters)' }),
      expect.objectContaining({ Email: 'd…@e….org' }),
    ])
  })

  test('of an empty file counts no rows', async () => {
    expect(await dryRun([])).toEqual({
      ...{ rows: 0, new: 0, known: 0, changed: 0, duplicates: 0, notMeant: 0, invalid: 0 },
      problems: [],
      recipients: [],
      unmasked: [],
    })
  })

  test('reads each image that a row names once, and fails if an image cannot be read', async () => {
    const imagesRead: string[] = []
    const check = openCheck(hasher)
    const withImage = {
      ...check,
      row: (row: SourceRow) => ({ ...check.row(row), image: '1.jpg' }),
      async readImage(name: string) {
        imagesRead.push(name)
        return { type: 'png' as const, bytes: Buffer.from(name) }
      },
    }
    const hashes: (Buffer | null)[] = []
    const compare: Compare = async (rows) => {
      hashes.push(...rows.map(({ imageSha256 }) => imageSha256))
      return nobodyKnown(rows)
    }
    const { images } = await dryRunRows(inBatches(rowsOf([ada, bob])), withImage, compare)
    expect(imagesRead).toEqual(['1.jpg'])
    expect(hashes).toEqual([1, 2].map(() => createHash('sha256').update('1.jpg').digest()))
    expect(images).toEqual(['1.jpg', '1.jpg'])
    const readImage = () => Promise.reject(new Error('no image'))
    await expect(dryRunRows(inBatches(rowsOf([ada])), { ...withImage, readImage }, nobodyKnown)).rejects.toThrow(
      'no image',
    )
  })
})

async function publish({ ledger }: TestLedger, rows: readonly SourceRow[], more: Partial<RowCheckInput['pipeline']>) {
  const source = { pipeline: 'spring', sourceName: 'a.csv', sourcePath: '/a.csv', sourceSha256: randomUUID() }
  const { run } = await ledger.runs.receive(source)
  const check = openCheck(ledger.hasher, more)
  await ledger.intake.stage(run.id, rows.map(check.row))
  const { nameFields } = check
  await ledger.intake.publish(
    run.id,
    { courseUuid: aCourse, format: 'csv', header, notices: [], nameFields },
    rows.length,
  )
  return run.id
}

describeWithDatabase('a dry run, compared with publishing', () => {
  test.each([
    ['one credential per person', {}],
    ['one credential per person and occasion', { occurrence: ['Birth Date'] }],
  ])('predicts what publishing will do, for 20 random files and %s', async (_, more) => {
    await using ledger = await openTestLedger()
    const cells = fc.tuple(
      fc.constantFrom('a@x.org', 'A@x.org', 'b@x.org', 'c@x.org', 'd@x.org', 'e@x.org', 'f@x.org', 'nobody', ''),
      fc.constantFrom('Ada', 'Ada', 'ADA', 'Bob', '', 'İpek', 'i̇pek', 'Ada\u00ad'),
      fc.constantFrom('King', 'King', 'King', 'Bell', 'Σίσυφος', 'ΣΊΣΥΦΟΣ'),
      fc.constantFrom('1990-12-31', '1990-12-31', '2001-01-01', 'soon'),
    )
    for (const file of fc.sample(fc.array(cells, { maxLength: 7 }), { numRuns: 20, seed: 7 })) {
      const rows = rowsOf(file)
      const compare = (good: Parameters<typeof ledger.ledger.knownRows.compare>[1]) =>
        ledger.ledger.knownRows.compare(aCourse, good)
      const dryRun = await dryRunRows(inBatches(rows), openCheck(ledger.ledger.hasher, more), compare)
      const run = await publish(ledger, rows, more)
      const published = (await ledger.ledger.runs.withStates(run))?.run
      const { known, changed, accepted, invalid } = published ?? {}
      expect({
        known: dryRun.known + dryRun.duplicates,
        changed: dryRun.changed,
        accepted: dryRun.new,
        invalid: dryRun.invalid,
      }).toEqual({ known, changed, accepted, invalid })
      expect(dryRun.problems).toEqual(await ledger.ledger.violations.byKind(run))
      expect(dryRun.rows).toBe(dryRun.new + dryRun.known + dryRun.changed + dryRun.duplicates + dryRun.invalid)
    }
  })

  test('counts rows that differ within the file, and ignores the case of names in any language', async () => {
    await using ledger = await openTestLedger()
    const pairs = [
      ['Élodie Ström', 'ÉLODIE STRÖM'],
      ['İpek A', 'i̇pek A'],
      ['Σίσυφος A', 'ΣΊΣΥΦΟΣ A'],
      ['Weiß A', 'WEIẞ A'],
    ]
    const rows = rowsOf(
      pairs.flatMap((names, at) => names.map((name) => [`c${at}@example.org`, ...name.split(' '), ''])),
    )
    const dryRun = await dryRunRows(inBatches(rows), openCheck(ledger.ledger.hasher), nobodyKnown)
    expect(dryRun).toMatchObject({ new: 4, changed: 4, duplicates: 0, invalid: 0 })
    const run = await publish(ledger, rows, {})
    expect(await ledger.ledger.runs.find(run)).toMatchObject({ accepted: 4, changed: 4, known: 0, invalid: 0 })
  })
})
