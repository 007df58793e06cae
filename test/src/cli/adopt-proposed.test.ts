// credsync adopt without a certificate name: which name it proposes, and that nothing is adopted before an
// operator agrees.

import { expect, test } from 'vitest'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openWorkspace, type Workspace } from './cli-workspace.ts'
import { issueElsewhere, students } from './issued-elsewhere.ts'
import { runInWorkspace } from './run-in-workspace.ts'

const adopt = ['adopt', '--pipeline', 'spring']
const fastSandbox = { sandbox: { limits: { general: 1_000, auth: 1_000 } } }

async function adopted({ env }: Workspace): Promise<unknown> {
  await using database = openDatabase(env.DATABASE_URL as string)
  const { rows } = await database.query('SELECT adopted_as, count(*)::int AS people FROM issuance GROUP BY adopted_as')
  return rows
}

/** Four people have the course, and seven the other one. */
async function openIssuedWorkspace(): Promise<Workspace> {
  const workspace = await openWorkspace(fastSandbox)
  await issueElsewhere(workspace, students(4))
  await issueElsewhere(workspace, students(7, 11), 1)
  return workspace
}

describeWithDatabase('credsync adopt without --certificate', () => {
  test("proposes the course's own name, not the most frequent one, and uses it if the operator agrees", async () => {
    const workspace = await openIssuedWorkspace()
    const refusal = await runInWorkspace(workspace, adopt, 'n')
    expect([refusal.code, refusal.stderr]).toEqual([
      2,
      expect.stringContaining('Take 4 people of “Welding Basics” into the ledger as known? [y/N] Nothing was changed.'),
    ])
    expect(refusal.stderr).toMatch(
      /gives the name “Welding Basics” to this pipeline's course[\s\S]*other names[\s\S]*7 {2}Safety at Work/,
    )
    expect(await adopted(workspace)).toEqual([])
    const acceptance = await runInWorkspace(workspace, adopt, 'y')
    expect([acceptance.code, acceptance.stdout]).toEqual([0, expect.stringMatching(/^4 adopted \(run /)])
    expect(await adopted(workspace)).toEqual([{ adopted_as: 'Welding Basics', people: 4 }])
  })

  test('shows what it would adopt and how to confirm it if there is no terminal, and adopts with --yes', async () => {
    const workspace = await openIssuedWorkspace()
    const withoutTerminal = await runInWorkspace(workspace, [...adopt, '--json'])
    expect([withoutTerminal.code, JSON.parse(withoutTerminal.stdout)]).toEqual([
      2,
      {
        ...{ pipeline: 'spring', complete: true, items: 11, proposed: 'Welding Basics' },
        certificates: [
          { name: 'Safety at Work', items: 7 },
          { name: 'Welding Basics', items: 4 },
        ],
      },
    ])
    expect(withoutTerminal.stderr).toContain('4 to adopt: 4 issued')
    expect(withoutTerminal.stderr).toContain("`credsync adopt --pipeline spring --certificate 'Welding Basics' --yes`")
    const dryRun = await runInWorkspace(workspace, [...adopt, '--dry-run', '--json'])
    expect(JSON.parse(dryRun.stdout)).toMatchObject({ dryRun: true, certificate: 'Welding Basics', adopted: 4 })
    expect(await adopted(workspace)).toEqual([])
    const acceptance = await runInWorkspace(workspace, [...adopt, '--yes', '--json'])
    expect([acceptance.code, JSON.parse(acceptance.stdout)]).toMatchObject([
      0,
      { certificate: 'Welding Basics', adopted: 4 },
    ])
    expect(await adopted(workspace)).toEqual([{ adopted_as: 'Welding Basics', people: 4 }])
  })

  test('proposes nothing if another course of the service has the same name, even with --yes', async () => {
    const workspace = await openIssuedWorkspace()
    const unread = ['modules', 'label1', 'label2', 'label3', 'label4', 'label5'].map((key) => `${key}: null\n`)
    const body = 'certificationBody: Chamber of Sandbox Trades\n'
    await workspace.write('same.yaml', ['name: " welding  Basics"\n', body, ...unread].join(''))
    const [, second] = workspace.sandbox.courses
    const renamed = await runInWorkspace(workspace, ['courses', 'update', second?.uuid as string, 'same.yaml', '--yes'])
    expect(renamed.code).toBe(0)
    const result = await runInWorkspace(workspace, [...adopt, '--yes'])
    expect([result.code, result.stderr]).toEqual([2, expect.stringContaining('--certificate "NAME"')])
    expect(await adopted(workspace)).toEqual([])
  })

  test('proposes nothing if the report does not contain the exact name', async () => {
    const workspace = await openWorkspace(fastSandbox)
    await issueElsewhere(workspace, students(3), 1)
    const result = await runInWorkspace(workspace, [...adopt, '--yes', '--json'])
    expect([result.code, JSON.parse(result.stdout)]).toEqual([
      2,
      {
        ...{ pipeline: 'spring', complete: true, items: 3 },
        certificates: [{ name: 'Safety at Work', items: 3 }],
      },
    ])
    expect(await adopted(workspace)).toEqual([])
  })
})
