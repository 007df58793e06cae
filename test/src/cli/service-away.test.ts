// Commands that change or follow what was issued, while the service is unavailable: exit code 4, and nothing is lost.

import { expect, onTestFinished, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { openInterferingProxy } from '#test/support/interfering-proxy.ts'
import { issue, openWorkspace, people, silentReport, type WorkspaceOptions } from './cli-workspace.ts'

const config = ['--config', 'credsync.yaml']

/** Opens a workspace whose service can become unavailable. */
async function openDistantWorkspace(options: WorkspaceOptions = {}) {
  const workspace = await openWorkspace(options)
  const wire = await openInterferingProxy(workspace.sandbox.url)
  onTestFinished(() => wire.close())
  return {
    ...workspace,
    run: (args: readonly string[]) => workspace.run(args, { CREDSYNC_BASE_URL: wire.url }),
    takeAway: () => wire.spoil('/', 'lose-request', Number.POSITIVE_INFINITY),
    bringBack: () => wire.behave(),
  }
}

describeWithDatabase('while the service is unavailable', () => {
  test('revoke exits with 4, keeps the request, and the same command continues it', async () => {
    const workspace = await openDistantWorkspace()
    await workspace.run(issue(await workspace.write('people.csv', people(1)), '--wait'))
    const revoke = ['revoke', 'i1', '--yes', '--json', ...config]
    workspace.takeAway()
    const ended = await workspace.run(revoke)
    expect(ended.code).toBe(4)
    expect(JSON.parse(ended.stdout).revocations).toMatchObject([
      { id: 'i1', state: 'wanted', sentence: expect.stringContaining('The service gave no usable answer') },
    ])
    expect(workspace.sandbox.requests()[0]?.revokedAt).toBeNull()
    workspace.bringBack()
    const again = await workspace.run(revoke)
    expect([again.code, JSON.parse(again.stdout).revocations[0].state]).toEqual([
      0,
      expect.stringMatching(/accepted|seen/),
    ])
    expect(workspace.sandbox.requests()[0]?.revokedAt).toBeInstanceOf(Date)
  })

  test('a revocation that could not be sent is continued by reconcile --once', async () => {
    const workspace = await openDistantWorkspace()
    await workspace.run(issue(await workspace.write('people.csv', people(1)), '--wait'))
    workspace.takeAway()
    await workspace.run(['revoke', 'i1', '--yes', ...config])
    const failed = await workspace.run(['reconcile', '--once', ...config])
    expect(failed.stderr).toMatch(/^A revocation could not be processed: The service gave no usable answer/m)
    expect(failed.stderr).toContain('0 of 1 open revocation settled.')
    workspace.bringBack()
    await workspace.run(['reconcile', '--once', ...config])
    expect(workspace.sandbox.requests()[0]?.revokedAt).toBeInstanceOf(Date)
  })

  test('reconcile --once exits with 4, and its rows stay open', async () => {
    const workspace = await openDistantWorkspace({ sandbox: silentReport })
    await workspace.run(issue(await workspace.write('people.csv', people(2))))
    workspace.takeAway()
    const ended = await workspace.run(['reconcile', '--once', ...config])
    expect([ended.code, ended.stderr]).toEqual([4, expect.stringContaining('The service gave no usable answer')])
    workspace.bringBack()
    const again = await workspace.run(['reconcile', '--once', '--json', ...config])
    expect([again.code, JSON.parse(again.stdout)]).toEqual([
      0,
      { complete: true, openBefore: 2, openAfter: 2, unsent: 0 },
    ])
  })
})
