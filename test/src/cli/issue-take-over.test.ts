// credsync issue takes over a file from a worker that ends.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { issue, openWorkspace, people } from './cli-workspace.ts'

describeWithDatabase('credsync issue, if the worker that has its file ends,', () => {
  test('takes over the file, and everyone gets exactly one credential', async () => {
    const workspace = await openWorkspace({ sandbox: { reportLagMs: 8_000 } })
    const worker = workspace.start(['start', '--config', 'credsync.yaml'])
    await worker.waitForOutput('Ctrl-C stops it.')
    const following = workspace.start(issue(await workspace.write('list.csv', people(3)), '--wait', '--json'))
    await following.waitForOutput('handed over')
    worker.signal('SIGTERM')
    expect((await worker.ended).code).toBe(0)
    const ended = await following.ended
    expect(ended.stderr).toContain('continuing in this process')
    expect(JSON.parse(ended.stdout)).toMatchObject({ accepted: 3, states: { issued: 3 } })
    expect(ended.code).toBe(0)
    expect(workspace.sandbox.requests()).toHaveLength(3)
  })
})
