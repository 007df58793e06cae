// credsync issue when nothing is issued: the dry run and invalid calls.

import { expect, test } from 'vitest'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { issue, openWorkspace, people, peopleAndOneWrong, silentReport } from './cli-workspace.ts'

/** The tables that have rows as soon as a ledger is opened. */
const freshTables = ['ledger', 'migration', 'service_address', 'lifecycle_step']

/** Returns the number of rows of each ledger table; empty if there are no tables yet. */
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
  test('reports rows, calls and time, and changes nothing in the ledger or in the service', async () => {
    const workspace = await openWorkspace({ empty: true, pipeline: { batch: { size: 2 } } })
    const withDuplicate = `${peopleAndOneWrong(5)}person.1@example.org,Ada,Lovelace1\n`
    const before = await tableCounts(workspace.env.DATABASE_URL)
    const ended = await workspace.run(issue(await workspace.write('people.csv', withDuplicate), '--dry-run', '--json'))
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
    expect(ended.stderr).toContain('nothing was sent and nothing was stored')
    expect(ended.stderr).toContain('  1 row: “Email” is not an e-mail address; row 7 (n… (14 characters))')
    expect(ended.stderr).toContain('The first 3 recipients as the service would receive them, values masked:')
    expect(ended.stdout + ended.stderr).not.toMatch(/person\.1|Lovelace|not-an-address/)
    expect(ended.code).toBe(3)

    const { calls } = workspace.sandbox.journal()
    expect(Object.keys(calls).filter((call) => !/token|fieldList|student\/report|course\/detail/.test(call))).toEqual(
      [],
    )
    expect(workspace.sandbox.requests()).toEqual([])
    // Any command that opens the ledger creates the rows of `freshTables`.
    expect(before).toEqual({})
    const after = await tableCounts(workspace.env.DATABASE_URL)
    expect(Object.keys(after)).toEqual(expect.arrayContaining(['run', 'staged_row', 'run_row', 'issuance', 'attempt']))
    const filled = Object.entries(after).flatMap(([table, rows]) => (rows > 0 ? [table] : []))
    expect(filled.filter((table) => !freshTables.includes(table))).toEqual([])
  })

  test('leaves every table of a ledger in use unchanged', async () => {
    const workspace = await openWorkspace({ sandbox: silentReport })
    await workspace.run(issue(await workspace.write('first.csv', people(2))))
    const before = await tableCounts(workspace.env.DATABASE_URL)
    const corrected = people(3).replace('Lovelace2', 'King')
    const ended = await workspace.run(issue(await workspace.write('second.csv', corrected), '--dry-run', '--json'))
    expect(JSON.parse(ended.stdout)).toMatchObject({ rows: 3, known: 1, changed: 1, new: 1, calls: 1, canary: false })
    expect(ended.stderr).toContain('Changed rows differ from the ledger: corrections')
    expect(await tableCounts(workspace.env.DATABASE_URL)).toEqual(before)
    expect(workspace.sandbox.requests()).toHaveLength(2)
  })

  test('reports that the brake would stop the run, and exits with 3', async () => {
    const workspace = await openWorkspace({ pipeline: { brake: { rows: 2 } } })
    const ended = await workspace.run(issue(await workspace.write('people.csv', people(3)), '--dry-run'))
    expect(ended.stderr).toContain(
      'The brake would stop the run: 3 rows would be issued, more than the limit of 2 (brake.rows).',
    )
    expect(ended.code).toBe(3)
  })
})

describeWithDatabase('credsync issue', () => {
  test('exits with 2 for an invalid file, pipeline or duration', async () => {
    const workspace = await openWorkspace()
    const file = await workspace.write('people.csv', people(1))
    const [missing, folder, pipeline, duration] = await Promise.all([
      workspace.run(issue('nowhere.csv')),
      workspace.run(issue('.')),
      workspace.run(['issue', file, '--pipeline', 'sprnig', '--config', 'credsync.yaml']),
      workspace.run(issue(file, '--timeout', 'soon')),
    ])
    expect(missing.stderr).toContain('nowhere.csv cannot be read (ENOENT)')
    expect(folder.stderr).toContain('is not a file')
    expect(pipeline.stderr).toContain('no pipeline "sprnig". It has: spring.')
    expect(duration.stderr).toContain('--timeout soon is not a duration')
    expect([missing, folder, pipeline, duration].map((each) => each.code)).toEqual([2, 2, 2, 2])
  })
})
