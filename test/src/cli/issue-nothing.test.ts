// credsync issue where nothing is to be issued: the dry run, and calls that cannot be used.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '#src/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { issue, openPlace, people, peopleAndOneWrong, silentReport } from './place.ts'

/** What opening a ledger fills by itself. */
const freshTables = ['ledger', 'migration', 'service_address', 'lifecycle_step']

/** How many rows each table of the ledger has; none when there are no tables yet. */
async function tableCounts(url = ''): Promise<Record<string, number>> {
  await using database = openDatabase(url, { connections: 1 })
  const { rows } = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'credsync' ORDER BY 1`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of rows) {
    const found = await database.query<{ count: number }>(`SELECT count(*) AS count FROM credsync.${name}`)
    counts[name] = found.rows[0]?.count ?? 0
  }
  return counts
}

describeWithDatabase('credsync issue --dry-run', () => {
  test('reports rows, calls and time, and changes nothing here or at the service', async () => {
    const place = await openPlace({ empty: true, pipeline: { batch: { size: 2 } } })
    const twice = `${peopleAndOneWrong(5)}person.1@example.org,Ada,Lovelace1\n`
    const before = await tableCounts(place.env.DATABASE_URL)
    const ended = await place.run(issue(await place.write('people.csv', twice), '--dry-run', '--json'))
    const document = JSON.parse(ended.stdout)
    expect(document).toMatchObject({
      dryRun: true,
      pipeline: 'spring',
      source: 'people.csv',
      rows: 7,
      new: 5,
      known: 0,
      changed: 0,
      duplicates: 1,
      invalid: 1,
      calls: 3,
      canary: true,
      atLeastMs: 50,
      limit: 60,
      brake: null,
      problems: [{ field: 'Email', rule: 'email', rows: 1, examples: [7], value: 'n… (14 characters)' }],
    })
    expect(document.recipients).toHaveLength(3)
    expect(document.recipients[0]).toEqual({
      Email: 'p…@e….org',
      'First Name': '… (3 characters)',
      'Last Name': 'L… (9 characters)',
      'Primary Value': 'Email',
    })
    expect(ended.stderr).toContain('nothing was sent and nothing was kept')
    expect(ended.stderr).toContain('  1 row: “Email” is not an e-mail address; row 7 (n… (14 characters))')
    expect(ended.stderr).toContain('The first 3 recipients as the service would get them, values masked:')
    expect(ended.stdout + ended.stderr).not.toMatch(/person\.1|Lovelace|not-an-address/)
    expect(ended.code).toBe(3)

    const { calls } = place.sandbox.journal()
    expect(Object.keys(calls).filter((call) => !/token|fieldList/.test(call))).toEqual([])
    expect(place.sandbox.requests()).toEqual([])
    // The ledger's own row is made when it is opened, by any command.
    expect(before).toEqual({})
    const after = await tableCounts(place.env.DATABASE_URL)
    expect(Object.keys(after)).toEqual(expect.arrayContaining(['run', 'staged_row', 'run_row', 'issuance', 'attempt']))
    const filled = Object.entries(after).flatMap(([table, rows]) => (rows > 0 ? [table] : []))
    expect(filled.filter((table) => !freshTables.includes(table))).toEqual([])
  })

  test('leaves a ledger that is in use as it is, to the last row', async () => {
    const place = await openPlace({ sandbox: silentReport })
    await place.run(issue(await place.write('first.csv', people(2))))
    const before = await tableCounts(place.env.DATABASE_URL)
    const corrected = people(3).replace('Lovelace2', 'King')
    const ended = await place.run(issue(await place.write('second.csv', corrected), '--dry-run', '--json'))
    expect(JSON.parse(ended.stdout)).toMatchObject({ rows: 3, known: 1, changed: 1, new: 1, calls: 1, canary: false })
    expect(ended.stderr).toContain('Changed rows have other data than the ledger knows: corrections')
    expect(await tableCounts(place.env.DATABASE_URL)).toEqual(before)
    expect(place.sandbox.requests()).toHaveLength(2)
  })

  test('tells that the brake would stop it, and ends with 3', async () => {
    const place = await openPlace({ pipeline: { brake: { rows: 2 } } })
    const ended = await place.run(issue(await place.write('people.csv', people(3)), '--dry-run'))
    expect(ended.stderr).toContain('The brake would stop it: 3 rows would be issued, more than the 2 of brake.rows.')
    expect(ended.code).toBe(3)
  })

  test('knows who was issued before', async () => {
    const place = await openPlace({ sandbox: silentReport })
    await place.run(issue(await place.write('first.csv', people(2))))
    const ended = await place.run(issue(await place.write('second.csv', people(3)), '--dry-run', '--json'))
    expect(JSON.parse(ended.stdout)).toMatchObject({ rows: 3, known: 2, new: 1, calls: 1 })
    expect(ended.code).toBe(0)
    expect(place.sandbox.requests()).toHaveLength(2)
  })

  test('ends with 2, not as a fault of ours, when the service knows no such course', async () => {
    const place = await openPlace({ pipeline: { course: '00000000-0000-4000-8000-000000000001' } })
    const ended = await place.run(issue(await place.write('people.csv', people(1)), '--dry-run'))
    expect(ended.stderr).toMatch(/The service refused .* check the uuid/)
    expect(ended.stderr).not.toMatch(/^\s+at /m)
    expect(ended.code).toBe(2)
  })
})

describeWithDatabase('credsync issue', () => {
  test('ends with 2 for what cannot be used: file, pipeline, duration, and a configuration with every fault', async () => {
    const place = await openPlace()
    const file = await place.write('people.csv', people(1))
    const [missing, folder, pipeline, duration] = await Promise.all([
      place.run(issue('nowhere.csv')),
      place.run(issue('.')),
      place.run(['issue', file, '--pipeline', 'sprnig', '--config', 'credsync.yaml']),
      place.run(issue(file, '--timeout', 'soon')),
    ])
    expect(missing.stderr).toContain('nowhere.csv cannot be read (ENOENT)')
    expect(folder.stderr).toContain('is not a file')
    expect(pipeline.stderr).toContain('no pipeline "sprnig". It has: spring.')
    expect(duration.stderr).toContain('--timeout soon is not a duration')
    expect([missing, folder, pipeline, duration].map((each) => each.code)).toEqual([2, 2, 2, 2])

    await writeFile(join(place.folder, 'credsync.yaml'), 'service: { environment: test }\npipelines: { A: {} }\n')
    const faulty = await place.run(issue(file, '--json'), { CREDSYNC_KEY: '', CREDSYNC_BASE_URL: 'http://a.example' })
    for (const where of ['CREDSYNC_KEY', 'CREDSYNC_BASE_URL', 'service.environment', 'pipelines.A'])
      expect(faulty.stderr).toContain(`  - ${where}: `)
    expect(JSON.parse(faulty.stdout).error).toMatchObject({ code: 2, name: 'SettingsError' })
    expect(faulty.code).toBe(2)
  })
})
