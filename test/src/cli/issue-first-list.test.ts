// A first list for a course that already has credentials from elsewhere: a new or lost ledger must not issue them again
// without an operator's decision.

import { expect, test } from 'vitest'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { issue, openWorkspace, type Workspace } from './cli-workspace.ts'
import { csv, issueElsewhere, students } from './issued-elsewhere.ts'
import { readDocument } from './run-document.ts'

const config = ['--config', 'credsync.yaml']

async function openWithIssued(count: number, options: Parameters<typeof openWorkspace>[0] = {}, which = 0) {
  const workspace = await openWorkspace(options)
  await issueElsewhere(workspace, students(count), which)
  const file = await workspace.write('list.csv', csv(students(count)))
  return { workspace, file, course: workspace.sandbox.courses[which]?.name ?? '' }
}

const requestCount = ({ sandbox }: Workspace) => sandbox.requests().length

describeWithDatabase('a first list whose people already have credentials', () => {
  test('is reported beforehand by `check` and by a dry run', async () => {
    const { workspace, file, course } = await openWithIssued(30)
    const sentence = `The report already shows 30 credentials called “${course}”`
    const check = await workspace.run(['check', ...config])
    expect(check.stdout).toContain(sentence)
    const dryRun = await workspace.run(issue(file, '--dry-run'))
    expect(dryRun.stderr).toContain(sentence)
    expect(dryRun.code).toBe(3)
    expect(requestCount(workspace)).toBe(30)
  })

  test('waits for an operator, and issues no second credential once the people are adopted', async () => {
    const { workspace, file, course } = await openWithIssued(30)
    const sentence = `The report already shows 30 credentials called “${course}”`

    const held = await workspace.run(issue(file, '--wait', '--json'))
    const { run } = readDocument(held.stdout)
    expect(held.code).toBe(3)
    expect(held.stderr).toContain(sentence)
    expect(held.stderr).toContain(`credsync approve ${run} `)
    expect(held.stderr).toContain('credsync adopt --pipeline spring')
    const status = await workspace.run(['status', '--run', run])
    expect(status.stdout).toContain(sentence)
    expect(status.stdout).toContain(`credsync approve ${run} `)
    expect(requestCount(workspace)).toBe(30)

    const adopted = await workspace.run(['adopt', '--pipeline', 'spring', '--certificate', course, '--yes', ...config])
    expect(adopted.code).toBe(0)
    expect(adopted.stderr).toContain(`credsync approve ${run}`)
    const afterAdoption = await workspace.run(['status', '--run', run])
    expect(afterAdoption.stdout).toContain('have been adopted since')
    expect(afterAdoption.stdout).toContain(`credsync approve ${run} `)
    expect(afterAdoption.stdout).not.toContain('credsync adopt')
    expect((await workspace.run(['approve', run, ...config])).code).toBe(0)
    const done = await workspace.run(issue(file, '--wait', '--json'))
    expect(readDocument(done.stdout)).toMatchObject({ run, accepted: 0, skipped: 30 })
    expect(requestCount(workspace)).toBe(30)
  })

  test('is issued only after an operator approves it, which then applies to the course', async () => {
    const { workspace, file } = await openWithIssued(3)
    const { run } = readDocument((await workspace.run(issue(file, '--wait', '--json'))).stdout)
    const approved = await workspace.run(['approve', run, '--by', 'Ada', '--reason', 'other people', ...config])
    expect(approved.stderr).toContain('except for people who are already in the ledger by then')
    const done = await workspace.run(issue(file, '--wait', '--json'))
    expect(readDocument(done.stdout)).toMatchObject({ run, accepted: 3, states: { issued: 3 } })
    expect(requestCount(workspace)).toBe(6)
    const later = await workspace.run(
      issue(await workspace.write('later.csv', csv(students(2, 50))), '--wait', '--json'),
    )
    expect([later.code, readDocument(later.stdout)]).toMatchObject([0, { states: { issued: 2 } }])
  })

  test('needs a new decision after the previous list was rejected, and waits for an open decision', async () => {
    const { workspace, file } = await openWithIssued(3)
    const reportCallCount = () =>
      Object.entries(workspace.sandbox.journal().calls).find(([endpoint]) =>
        endpoint.endsWith('/student/report'),
      )?.[1] ?? 0
    const first = readDocument((await workspace.run(issue(file, '--wait', '--json'))).stdout)
    const countAfterFirst = reportCallCount()
    expect(countAfterFirst).toBeGreaterThan(0)
    const other = await workspace.write('other.csv', csv(students(2, 50)))
    const second = readDocument((await workspace.run(issue(other, '--wait', '--json'))).stdout)
    expect(reportCallCount()).toBe(countAfterFirst)
    for (const { run } of [first, second]) await workspace.run(['reject', run, ...config])
    const again = await workspace.run(issue(file, '--wait'))
    expect(again.code).toBe(3)
    expect(reportCallCount()).toBeGreaterThan(countAfterFirst)
    expect(requestCount(workspace)).toBe(3)
  })
})

describeWithDatabase('a ledger that was lost', () => {
  test('issues no second credential: the lists that were already issued wait', async () => {
    const workspace = await openWorkspace()
    const file = await workspace.write('list.csv', csv(students(30)))
    expect((await workspace.run(issue(file, '--wait'))).code).toBe(0)
    expect(requestCount(workspace)).toBe(30)
    await using database = openDatabase(workspace.env.DATABASE_URL ?? '')
    await database.query('DROP SCHEMA credsync CASCADE')
    await database.query('DROP SCHEMA IF EXISTS credsync_queue_development CASCADE')
    const again = await workspace.run(issue(file, '--wait'))
    expect(again.code).toBe(3)
    expect(again.stderr).toContain('The report already shows 30 credentials called')
    expect(requestCount(workspace)).toBe(30)
  })
})
