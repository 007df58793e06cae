// The commands forget and erasures in the real program.

import { expect, test } from 'vitest'
import { openDatabase } from '#src/platform/database/database.ts'
import { issue, openWorkspace, people, type Workspace } from '#test/src/cli/cli-workspace.ts'
import { runInProcess } from '#test/src/cli/run-in-process.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const config = ['--config', 'credsync.yaml']
const forget = (workspace: Workspace, ...args: string[]) => workspace.run(['forget', ...args, ...config])
const documentOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout)

describeWithDatabase('credsync forget', () => {
  test('shows what would go without a name, asks, and writes an erasure that the list of erasures shows', async () => {
    const workspace = await openWorkspace()
    await workspace.write('list.csv', people(3))
    await workspace.run(issue('list.csv', '--wait'))
    const database = openDatabase(workspace.env.DATABASE_URL ?? '')
    await database.query(
      `INSERT INTO delivery (issuance_id, target, wanted, state, written_at) SELECT n, 'moodle-profile campus', 'issued', 'verified', '2026-03-01T12:00:00Z' FROM generate_series(1, 3) n`,
    )
    await database.close()
    const notOurs = {
      deliveredOutcomes: [
        { issuanceId: 2, system: 'campus', what: 'profile field', outcome: 'issued', at: '2026-03-01T12:00:00.000Z' },
      ],
      sourceFiles: [{ path: expect.stringMatching(/list\.csv$/) }],
    }
    const told = '  moodle-profile campus: profile field “issued” of i2, 2026-03-01\n'
    const dry = await forget(workspace, 'person.2@example.org', '--dry-run', '--json')
    expect(documentOf(dry)).toMatchObject(notOurs)
    expect(dry.stderr).toContain(told)
    expect(dry.code).toBe(0)
    expect(documentOf(dry)).toMatchObject({
      erasure: null,
      counts: { issuances: 1, issued: 1, rows: 1, lists: 1, withdrawn: 0 },
      people: [{ who: 1, ids: ['i2'], ambiguous: [] }],
    })
    expect(dry.stderr).toContain('p…@e….org')
    expect(dry.stdout + dry.stderr).not.toContain('person.2')
    expect(documentOf(await workspace.run(['erasures', '--json']))).toEqual({ erasures: [] })

    expect((await forget(workspace, 'i2')).stderr).toContain('--reason is missing')
    const asked = await forget(workspace, 'i2', '--reason', 'a letter')
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('This is not a terminal')])
    const done = await forget(workspace, 'i2', '--reason', 'a letter', '--by', 'ada', '--yes', '--json')
    expect([done.code, done.stderr]).toEqual([0, expect.stringMatching(/^It is carried out\.$/m)])
    const { erasure } = documentOf(done)
    expect(documentOf(await workspace.run(['erasures', '--json']))).toMatchObject({
      erasures: [{ id: erasure, by: 'ada', reason: 'a letter', issuances: 1, emptied: 1, ...notOurs }],
    })
    const listed = (await workspace.run(['erasures'])).stdout
    expect(listed).toContain(`${erasure}: ended`)
    expect(listed).toContain(told)
    expect(listed).toContain('list.csv (not in an inbox: delete it yourself)')
    const again = await forget(workspace, 'i2', '--reason', 'a letter', '--yes')
    expect([again.code, again.stderr]).toEqual([2, expect.stringMatching(/^i2: forgotten on 20\d\d-/m)])
  })

  test('needs no service, and no worker', async () => {
    const workspace = await openWorkspace()
    await workspace.write('list.csv', people(2))
    await workspace.run(issue('list.csv', '--wait'))
    await using database = openDatabase(workspace.env.DATABASE_URL ?? '')
    await database.query(
      `INSERT INTO completion (environment, pipeline, system, learner, course, completed_at, cells, state, found_by)
       VALUES ('development', 'spring', 'campus', '77', 'FIRE-1', now(), '{"Email": "ada@example.org"}', 'ready', 'poll')`,
    )
    await workspace.sandbox.close()
    for (const who of ['i2', 'campus:77']) {
      const one = await forget(workspace, who, '--reason', 'a letter', '--yes')
      expect([one.code, one.stderr]).toEqual([0, expect.stringMatching(/^It is carried out\.$/m)])
    }
    expect((await database.query('SELECT id FROM issuance WHERE recipient IS NULL')).rows).toEqual([{ id: 2 }])
    expect((await database.query(`SELECT FROM completion WHERE cells <> '{}'`)).rowCount).toBe(0)
  })

  test('says what an erasure waits for that it cannot carry out to its end, and `reconcile` goes on', async () => {
    const workspace = await openWorkspace()
    await workspace.write('list.csv', people(1))
    await workspace.run(issue('list.csv', '--wait'))
    const asked = await forget(workspace, 'i1', '--reason', 'a letter', '--revoke', '--yes')
    expect([asked.code, asked.stderr]).toEqual([
      0,
      expect.stringMatching(/is open\. i1: to be revoked first\. It goes on whenever credsync runs/),
    ])
    const isRevoked = async () => {
      await workspace.run(['reconcile', ...config])
      return (await workspace.run(['erasures'])).stdout
    }
    await expect.poll(isRevoked, { timeout: 30_000 }).toMatch(/: ended 20/)
  })

  test('reads many people from a file, and says who was not found', async () => {
    const workspace = await openWorkspace()
    await workspace.write('list.csv', `${people(3)}not-an-address,Ada,Lovelace4\n`)
    const issued = await workspace.run(issue('list.csv', '--wait', '--json'))
    const { run } = documentOf(issued)
    await workspace.write('gone.txt', `person.1@example.org\n\ni3\n${run.slice(0, 8)}:5\nnobody@example.org\n`)
    const dry = await forget(workspace, '--from', 'gone.txt', '--dry-run', '--json')
    expect(dry.code).toBe(2)
    expect(documentOf(dry)).toMatchObject({ counts: { issuances: 2, rows: 3 } })
    expect(
      documentOf(dry).people.map(({ ids, rows }: { ids: string[]; rows: object[] }) => [ids, rows.length]),
    ).toEqual([
      [['i1'], 0],
      [['i3'], 0],
      [[], 1],
      [[], 0],
    ])
    expect(dry.stderr).toContain('no one in the ledger matches that')
    expect((await forget(workspace, '--from', 'lost.txt', '--dry-run')).stderr).toContain(
      'lost.txt cannot be read (ENOENT)',
    )
    expect((await forget(workspace, '--dry-run')).stderr).toContain('Say who is to be forgotten')
  })

  test('says which rows have an address, and forgets all rows of the person of one', async () => {
    const workspace = await openWorkspace()
    for (const n of [1, 2]) {
      await workspace.write(
        `list${n}.csv`,
        `${people(0)}ada@example.org,Ada,\nada@example.org,Bea,\nzed.${n}@example.org,Zed,\n`,
      )
      await workspace.run(issue(`list${n}.csv`, '--wait'))
    }
    const by = await forget(workspace, 'ada@example.org', '--dry-run', '--json')
    expect([by.code, documentOf(by).people[0].ambiguous.length]).toEqual([2, 4])
    expect(by.stderr).toMatch(/row [0-9a-f]{8}:2, .* have that, with different names or none, .* a row as RUN:ROW/)
    const [row = ''] = /[0-9a-f]{8}:2/.exec(by.stderr) ?? []
    const one = await forget(workspace, row, '--dry-run', '--json')
    expect([one.code, documentOf(one)]).toMatchObject([
      0,
      { counts: { rows: 2 }, people: [{ leftOut: { rows: [{}, {}] } }] },
    ])
  })

  test('takes along what came of the person while it waited for the answer, and says so', async () => {
    const workspace = await openWorkspace()
    await workspace.write('list.csv', people(1))
    await workspace.run(issue('list.csv', '--wait'))
    const header = 'e_mail,First Name,Last Name,Contact Number'
    const rows = ['person.1@example.org,Ada,Lovelace1,no number', 'person.1@example.org,Bea,,']
    await workspace.write('next.csv', [header, ...rows, ''].join('\n'))
    const typed = async () => {
      await workspace.run(issue('next.csv', '--wait'))
      return 'yes'
    }
    const args = ['forget', 'i1', '--reason', 'a letter', '--json', ...config]
    const forgotten = await runInProcess(args, { cwd: workspace.folder, env: workspace.env, typed })
    expect([forgotten.code, forgotten.stderr]).toEqual([
      0,
      expect.stringMatching(/and is part of the erasure: row [0-9a-f]{8}:2\./),
    ])
    await using database = openDatabase(workspace.env.DATABASE_URL ?? '')
    expect((await database.query('SELECT row_number FROM erased_row')).rows).toEqual([{ row_number: 2 }])
  })

  test('of somebody who was forgotten before takes what came since, and else says when that was', async () => {
    const workspace = await openWorkspace()
    await workspace.write('list.csv', people(1))
    await workspace.run(issue('list.csv', '--wait'))
    await forget(workspace, 'i1', '--reason', 'a letter', '--yes')
    await workspace.write('next.csv', `${people(0)}person.1@example.org,Adda,Lovelace1\n`)
    await workspace.run(issue('next.csv', '--wait'))
    await using database = openDatabase(workspace.env.DATABASE_URL ?? '')
    const { rows } = await database.query<{ name: string; sentence: string }>(
      `SELECT left(run_id::text, 8) || ':' || row_number AS name, violations->0->>'sentence' AS sentence FROM run_row WHERE outcome = 'invalid'`,
    )
    expect(rows).toMatchObject([
      { sentence: expect.stringContaining(`run credsync forget ${rows[0]?.name}: later lists`) },
    ])
    const later = await forget(workspace, rows[0]?.name ?? '', '--reason', 'a letter', '--yes', '--json')
    expect([later.code, documentOf(later).people]).toMatchObject([0, [{ ids: [], rows: [{ row: 2 }] }]])
    const again = await forget(workspace, 'person.1@example.org', '--reason', 'a letter', '--yes')
    expect([again.code, again.stderr]).toEqual([
      2,
      expect.stringMatching(/: i1, row .*:2 have that, with different names or none/),
    ])
    expect(again.stderr).not.toContain('Adda')
    const named = await forget(workspace, 'i1', '--reason', 'a letter', '--yes')
    expect([named.code, named.stderr]).toEqual([2, expect.stringMatching(/: forgotten on 20.* \(i1\)\. --release/)])
  })

  test('of somebody whose retention ended says that the data expired, until the person asks for it as well', async () => {
    const workspace = await openWorkspace()
    await workspace.write('list.csv', people(1))
    await workspace.run(issue('list.csv', '--wait'))
    await forget(workspace, 'i1', '--reason', 'a letter', '--yes')
    await using database = openDatabase(workspace.env.DATABASE_URL ?? '')
    await database.query(`UPDATE erasure SET kind = 'retention', pipeline = 'spring'`)
    const explained = await workspace.run(['explain', 'i1'])
    expect(explained.stdout).toMatch(/^ {2}expired +on 20\d\d-\d\d-\d\d: the data are deleted, because the retention/m)
    expect(documentOf(await workspace.run(['explain', 'i1', '--json']))).toMatchObject({
      issuances: [{ forgotten: null, expired: expect.stringMatching(/^20/) }],
    })
    const corrected = await workspace.run(['correct', 'i1', '--set', 'First Name=Eva', '--yes', ...config])
    expect(corrected.stderr).toContain('i1: its data expired on 20')
    expect((await forget(workspace, 'i1', '--reason', 'a letter', '--yes')).code).toBe(0)
    expect((await workspace.run(['explain', 'i1'])).stdout).toMatch(/^ {2}forgotten +on 20/m)
  })

  test('is the last word on a failed row: it is not sent again', async () => {
    const workspace = await openWorkspace()
    await workspace.write('list.csv', `${people(0)}fail.1@example.org,Ada,Lovelace\n`)
    await workspace.run(issue('list.csv', '--wait'))
    await forget(workspace, 'i1', '--reason', 'a letter', '--yes')
    const retried = await workspace.run(['retry', 'i1', ...config])
    expect([retried.code, retried.stderr]).toEqual([
      2,
      expect.stringMatching(/^i1: nothing was changed, because its person was forgotten on 20/m),
    ])
    const corrected = await workspace.run(['correct', 'i1', '--set', 'First Name=Eva', '--yes', ...config])
    expect([corrected.code, corrected.stderr]).toEqual([2, expect.stringContaining('was forgotten on 20')])
    await using database = openDatabase(workspace.env.DATABASE_URL ?? '')
    expect((await database.query('SELECT state FROM issuance')).rows).toEqual([{ state: 'failed' }])
  })
})
