// credsync adopt, run in this process against a sandbox over HTTP, with credentials that were issued elsewhere.

import { expect, test } from 'vitest'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { issue, openWorkspace, type Workspace } from './cli-workspace.ts'
import { csv, issueElsewhere, type Student, students } from './issued-elsewhere.ts'
import { runInProcess } from './run-in-process.ts'
import { runInWorkspace } from './run-in-workspace.ts'

const run = (workspace: Workspace, ...args: string[]) => runInWorkspace(workspace, args)

const adopt = ['adopt', '--pipeline', 'spring', '--certificate', 'Welding Basics']

async function tableCounts(workspace: Workspace): Promise<unknown> {
  await using database = openDatabase(workspace.env.DATABASE_URL as string)
  const tables = [
    'run',
    'run_row',
    'issuance',
    'issuance_match',
    'report_claim',
    'surplus_item',
    'sighting',
    'history',
    'write_back',
    'course',
    'scan',
    'poller',
  ]
  const { rows } = await database.query(
    `SELECT ${tables.map((table) => `(SELECT count(*) FROM ${table})::int AS ${table}`).join(', ')}`,
  )
  return rows[0]
}

const sumOfItems = (document: Record<string, unknown>) => {
  const listed = (name: string) => (document[name] as { items: number }[]).reduce((all, each) => all + each.items, 0)
  const plain = ['adopted', 'taken', 'known', 'surplus', 'spent', 'rejected', 'failed'] as const
  return (
    plain.reduce((all, name) => all + Number(document[name]), 0) +
    ['left', 'unread', 'unmatched'].reduce((all, name) => all + listed(name), 0)
  )
}

describeWithDatabase('credsync adopt', () => {
  test('makes an old list safe: of 300 people with a credential and 5 without, only the 5 are requested', async () => {
    const workspace = await openWorkspace({
      // The report spells some people differently from what was sent.
      sandbox: { limits: { general: 1_000, auth: 1_000 }, faults: { spelling: { emails: 0.2, names: 0.2 } } },
    })
    await issueElsewhere(workspace, students(300, 1, { 'Birth Date': '1990-12-31' }))
    await issueElsewhere(workspace, students(3), 1)

    const adoptOther = ['adopt', '--pipeline', 'spring', '--certificate', 'Safety at Work']
    const before = await tableCounts(workspace)
    const otherName = await run(workspace, ...adoptOther, '--yes')
    expect([otherName.code, otherName.stderr]).toEqual([
      2,
      expect.stringMatching(
        /calls the course of this pipeline “Welding Basics”, and --certificate is “Safety at Work”[\s\S]*--other-name/,
      ),
    ])
    expect((await run(workspace, ...adoptOther, '--yes', '--other-name', '--dry-run', '--json')).stdout).toContain(
      '"adopted": 3',
    )
    expect(await tableCounts(workspace)).toEqual(before)
    const dryRun = await run(workspace, ...adopt, '--dry-run', '--json')
    expect(dryRun.code).toBe(0)
    expect(JSON.parse(dryRun.stdout)).toMatchObject({ dryRun: true, run: null, items: 300, adopted: 300, known: 0 })
    expect((await run(workspace, ...adopt)).stderr).toContain('add --yes')
    expect(await tableCounts(workspace)).toEqual(before)

    const adopted = JSON.parse((await run(workspace, ...adopt, '--yes', '--json')).stdout)
    expect(adopted).toMatchObject({ items: 300, adopted: 300, states: { issued: 300 }, unmatched: [], left: [] })
    const again = await run(workspace, 'adopt', '--pipeline', 'spring', '--json')
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { adopted: 0, known: 300, run: null }])

    const list = [...students(299), { ...students(1, 300)[0], 'Last Name': 'Byron' } as Student, ...students(5, 301)]
    const issued = await workspace.run(issue(await workspace.write('old.csv', csv(list)), '--wait', '--json'))
    expect(JSON.parse(issued.stdout)).toMatchObject({
      rows: 305,
      accepted: 5,
      known: 299,
      changed: 1,
      balanced: true,
      states: { issued: 5 },
    })
    expect(
      workspace.sandbox
        .requests()
        .slice(303)
        .map(({ student }) => student.Email),
    ).toEqual(students(5, 301).map((student) => student.Email))

    const result = await run(workspace, 'explain', 'person.1@example.org')
    expect(result.stdout).toMatch(/^i\d+: issued, from row \d+ of adopted from the report, \d{4}-\d\d-\d\d \(spring/)
    expect(result.stdout).toMatch(/adopted from the report: issued \(.*label: Request Completed, credential: [\d-]+/)
    const status = await run(workspace, 'status', '--run', adopted.run)
    expect(status.stdout).toContain('note: Adopted from the report, which calls the course “Welding Basics”.')
    expect(status.stdout).not.toContain('  results  ')
    expect((await run(workspace, 'correct')).stdout).toContain('Last Name differs')
  })

  test('accounts for every item, including second credentials and rejected, failed or revoked ones', async () => {
    const workspace = await openWorkspace({ sandbox: { limits: { general: 1_000, auth: 1_000 } } })
    const [withTwoCredentials] = students(1, 900) as [Student]
    await issueElsewhere(workspace, [
      ...students(2),
      withTwoCredentials,
      { ...withTwoCredentials, Email: 'Person.900@example.org' },
    ])
    await issueElsewhere(workspace, [
      { ...students(1)[0], Email: 'reject.ada@example.org' } as Student,
      { ...students(1)[0], Email: 'fail.bea@example.org' } as Student,
    ])
    const [first] = workspace.sandbox.requests()
    expect((await run(workspace, 'revoke', first?.credentialId as string, '--yes')).code).toBe(0)

    const adopted = await run(workspace, ...adopt, '--yes', '--json')
    const document = JSON.parse(adopted.stdout)
    expect(document).toMatchObject({
      items: 6,
      adopted: 3,
      surplus: 1,
      rejected: 1,
      failed: 1,
      states: { issued: 2, revoked: 1 },
    })
    expect([sumOfItems(document), adopted.code]).toEqual([6, 3])
    expect(adopted.stderr).toContain('1 second credentials of people who already have one')
    expect((await run(workspace, 'explain', withTwoCredentials.Email as string)).stdout).toContain('surplus items 1')
    const again = JSON.parse((await run(workspace, ...adopt, '--json')).stdout)
    expect(again).toMatchObject({ adopted: 0, known: 4, surplus: 0, rejected: 1, failed: 1 })
    // Rejected and failed people are requested again; people with a revoked credential are not.
    const list = csv([...students(2), { ...students(1)[0], Email: 'reject.ada@example.org' } as Student])
    const issued = await workspace.run(issue(await workspace.write('list.csv', list), '--wait', '--json'))
    expect(JSON.parse(issued.stdout)).toMatchObject({ accepted: 1, known: 2, states: { rejected: 1 } })
  })

  test('does not match by fields that the report does not show, and reports the unmatched items', async () => {
    const workspace = await openWorkspace({ pipeline: { occurrence: ['Program End Date'] } })
    await issueElsewhere(workspace, students(4, 1, { 'Program End Date': '2026-02-20' }))
    const unnamed = await run(workspace, 'adopt', '--pipeline', 'spring', '--yes')
    expect([unnamed.code, unnamed.stderr]).toEqual([
      2,
      expect.stringMatching(/4 {2}Welding Basics[\s\S]*--certificate "NAME"/),
    ])
    const before = await tableCounts(workspace)
    const result = await run(workspace, ...adopt, '--yes', '--json')
    expect(result.code).toBe(3)
    expect(JSON.parse(result.stdout).unmatched).toEqual([
      {
        because: expect.stringContaining('does not show Program End Date'),
        items: 4,
        examples: Array(3).fill(expect.stringMatching(/^p…@e….org/)),
      },
    ])
    expect(result.stderr).not.toContain('person.')
    expect(await tableCounts(workspace)).toEqual(before)
  })

  test('writes nothing if the report changes while it is read', async () => {
    const workspace = await openWorkspace({
      sandbox: { maxPage: 10, faults: { movingRows: { share: 1 } }, limits: { general: 1_000, auth: 1_000 } },
    })
    await issueElsewhere(workspace, students(60))
    await run(workspace, 'adopt', '--pipeline', 'spring', '--dry-run')
    const before = await tableCounts(workspace)
    const result = await run(workspace, ...adopt, '--yes', '--json')
    expect([result.code, JSON.parse(result.stdout).complete]).toEqual([4, false])
    expect(result.stderr).toContain('Nothing was adopted; try again')
    expect(await tableCounts(workspace)).toEqual(before)
  })

  test('adopts nothing if it is interrupted while it reads the report, and exits with 130', async () => {
    const workspace = await openWorkspace()
    await issueElsewhere(workspace, students(3))
    const args = ['adopt', '--pipeline', 'spring', '--yes', '--config', 'credsync.yaml']
    const { folder: cwd, env } = workspace
    const ended = await runInProcess(args, { cwd, env, signal: AbortSignal.abort() })
    expect([ended.code, ended.stderr]).toEqual([130, expect.stringContaining('Interrupted. 0 adopted; run')])
    expect(await tableCounts(workspace)).toMatchObject({ report_claim: 0, sighting: 0 })
  })
})
