// credsync reconcile --all: finds revocations that were made in the portal, by the command itself or through the
// running worker.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { openSandboxIssuer } from '#test/support/sandbox-issuer.ts'
import { issue, openWorkspace, people, type Workspace } from './cli-workspace.ts'
import { runInProcess } from './run-in-process.ts'

const reconcileAll = ['reconcile', '--once', '--all', '--config', 'credsync.yaml']

async function revoke({ sandbox }: Workspace, person: number): Promise<void> {
  const issuer = openSandboxIssuer(sandbox)
  expect((await issuer.revokeCredential(sandbox.requests()[person - 1]?.credentialId ?? '')).class).toBe('accepted')
  await issuer.close()
}

describeWithDatabase('credsync reconcile --all', () => {
  test('finds revocations that a normal reconcile does not look for, and status shows them', async () => {
    const workspace = await openWorkspace()
    expect((await workspace.run(issue(await workspace.write('people.csv', people(3)), '--wait'))).code).toBe(0)
    await revoke(workspace, 2)
    expect((await workspace.run([...reconcileAll.filter((each) => each !== '--all')])).code).toBe(0)
    expect((await workspace.run(['status'])).stdout).toContain('3 issued')

    const result = await workspace.run([...reconcileAll, '--json'])
    expect(result.code).toBe(0)
    expect(JSON.parse(result.stdout).all).toEqual({ complete: true, issued: 2, revoked: 1, missing: 0 })
    expect(result.stderr).toContain('1 credential was found to be revoked; 2 are valid.')
    const status = await workspace.run(['status'])
    expect(status.stdout).toContain('2 issued, 1 revoked')
    expect(status.stdout).toMatch(/issued credentials \(development\): watched at .*each of 2 checked since/)
    expect(JSON.parse((await workspace.run(['status', '--json'])).stdout).watched).toMatchObject([
      { issued: 2, missing: 0 },
    ])
    expect((await workspace.run(['explain', 'person.2@example.org'])).stdout).toContain('revoked')
  })

  test('exits with 4 if it is interrupted before every credential was checked', async () => {
    const { folder, env } = await openWorkspace()
    const ended = await runInProcess(reconcileAll, { cwd: folder, env, signal: AbortSignal.abort() })
    expect(ended.stderr).toContain('Nothing is open')
    expect(ended.stderr).toContain('Not all issued credentials were checked')
    expect(ended.code).toBe(4)
  })

  test('leaves the check to a running worker', async () => {
    const workspace = await openWorkspace()
    expect((await workspace.run(issue(await workspace.write('people.csv', people(2)), '--wait'))).code).toBe(0)
    await revoke(workspace, 1)
    const worker = workspace.start(['start', '--config', 'credsync.yaml'])
    await worker.waitForOutput('worker started')
    const result = await workspace.run([...reconcileAll, '--json'])
    expect(result.stderr).toContain('A worker is already running on this ledger; it will do the check.')
    expect(JSON.parse(result.stdout).all).toMatchObject({ complete: true, revoked: 1 })
  })
})
