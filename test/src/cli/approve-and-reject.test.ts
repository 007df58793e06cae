// The brake in the real program: a file with too many rows waits until an operator approves or rejects the run.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { issue, openWorkspace, people, type Workspace } from './cli-workspace.ts'
import { readDocument } from './run-document.ts'

const config = ['--config', 'credsync.yaml']
const braked = { pipeline: { brake: { rows: 2 } } }

/** Issues a list of three people, one more than the brake allows. */
async function issueTooLarge(workspace: Workspace) {
  const ended = await workspace.run(issue(await workspace.write('list.csv', people(3)), '--wait', '--json'))
  return { ...ended, document: readDocument(ended.stdout) }
}

describeWithDatabase('a file that is too large', () => {
  test('ends `issue --wait` with exit code 3 and the two options, and is issued once it is approved', async () => {
    const workspace = await openWorkspace(braked)
    const { document, stderr, code } = await issueTooLarge(workspace)
    const { run } = document
    expect(stderr).toContain(
      'list.csv is braked.\n  3 rows would be issued, more than the limit of 2 (brake.rows). Nothing was issued',
    )
    expect(stderr).toContain(`credsync approve ${run} `)
    expect(stderr).toContain(`credsync reject ${run} `)
    expect(document).toMatchObject({ rows: 0, accepted: 0, results: null })
    expect(code).toBe(3)
    expect(workspace.sandbox.requests()).toEqual([])

    const again = await workspace.run(issue('list.csv', '--wait', '--json'))
    expect(again.stderr).toContain(`This file has already been submitted (run ${run}).\nlist.csv is braked.`)
    expect([readDocument(again.stdout).run, again.code]).toEqual([run, 3])
    const [list, details, detailsJson] = await Promise.all([
      workspace.run(['status']),
      workspace.run(['status', '--run', run.slice(0, 8)]),
      workspace.run(['status', '--run', run, '--json']),
    ])
    expect(list.stdout).toContain('list.csv  braked: 3 rows would be issued, more than the limit of 2 (brake.rows).')
    expect(details.stdout).toContain(`(run ${run}) is braked\n`)
    expect(details.stdout).toContain(`credsync approve ${run}`)
    expect(JSON.parse(detailsJson.stdout)).toMatchObject({
      state: 'braked',
      settled: null,
      brake: { accepted: 3, usual: null },
    })

    const decisionOptions = ['--by', 'Ada', '--reason', 'a large cohort', '--json', ...config]
    const approved = await workspace.run(['approve', run.slice(0, 8), ...decisionOptions])
    expect(JSON.parse(approved.stdout)).toEqual({ run, state: 'received' })
    expect(approved.stderr).toContain(`list.csv (run ${run}) is approved`)
    const issued = readDocument((await workspace.run(issue('list.csv', '--wait', '--json'))).stdout)
    expect(issued).toMatchObject({ run, accepted: 3, states: { issued: 3 } })
    expect(workspace.sandbox.requests()).toHaveLength(3)
    const result = await workspace.run(['status', '--run', run])
    expect(result.stdout).toContain('  approved by   Ada: a large cohort\n')
    const late = await workspace.run(['reject', run, ...config])
    expect(late.stderr).toContain(`Run ${run} is not braked: it was approved by Ada. Nothing was changed.`)
    expect([approved.code, late.code]).toEqual([0, 2])
  })

  test('is refused once it is rejected, with the operator and the reason', async () => {
    const workspace = await openWorkspace(braked)
    const { run } = (await issueTooLarge(workspace)).document
    const rejected = await workspace.run(['reject', run, '--by', 'Ada', '--reason', 'the wrong list', ...config])
    expect(rejected.code).toBe(0)
    const details = await workspace.run(['status', '--run', run])
    expect(details.stdout).toContain('  refused: rejected by Ada: the wrong list\n')
    const late = await workspace.run(['approve', run, ...config])
    expect(late.stderr).toContain('it was refused (rejected by Ada: the wrong list).')
    expect(late.code).toBe(2)
    expect(workspace.sandbox.requests()).toEqual([])
  })
})

describeWithDatabase('a command', () => {
  test('that names something unknown reports the name and what to do', async () => {
    const workspace = await openWorkspace()
    await workspace.run(issue(await workspace.write('list.csv', people(1)), '--wait'))
    const runWithConfig = (...args: string[]) => workspace.run([...args, ...config])
    const [resolve, retry] = await Promise.all([
      runWithConfig('resolve', 'i99', 'i1', '--sent'),
      runWithConfig('retry', 'i1'),
    ])
    expect(resolve.stderr).toContain('i99: nothing was changed, because the ledger has no i99 for development.')
    expect(resolve.stderr).toContain('i1: nothing was changed, because it is not held, but issued')
    expect(retry.stderr).toContain('i1: nothing was changed, because it is not failed')
    expect([resolve.code, retry.code]).toEqual([2, 2])
    const { runs } = JSON.parse((await workspace.run(['status', '--json'])).stdout)
    const none = await runWithConfig('retry', '--run', runs[0].run.slice(0, 8))
    expect(none.stderr).toContain(`Run ${runs[0].run} has no failed row`)
    expect(none.code).toBe(2)
  })
})
