// The commands held, resolve and retry in the real program.

import { expect, test } from 'vitest'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { issue, openWorkspace, people } from './cli-workspace.ts'

const config = ['--config', 'credsync.yaml']

describeWithDatabase('credsync held and resolve', () => {
  test('list a held row with its evidence and accept the decision, once, with operator and reason', async () => {
    const workspace = await openWorkspace()
    await workspace.write('list.csv', `${people(0)}hold.1@example.org,Ada,Lovelace\n`)
    const issued = await workspace.run(issue('list.csv', '--wait', '--json'))
    expect(JSON.parse(issued.stdout).states).toMatchObject({ held: 1, issued: 0 })
    expect(issued.code).toBe(3)

    const listed = await workspace.run(['held', ...config])
    expect(listed.code).toBe(3)
    expect(listed.stdout).toContain('i1: row 2 of list.csv (spring)')
    expect(listed.stdout).toMatch(/because the report’s values differ .*: Last Name/)
    expect(listed.stdout).toMatch(/credsync resolve i1 --sent .* stays requested forever/)
    expect(listed.stdout).toMatch(/credsync resolve i1 --not-sent .* two credentials/)

    const asDocument = await workspace.run(['held', '--json', ...config])
    expect(JSON.parse(asDocument.stdout)).toMatchObject({
      held: [{ id: 'i1', row: 2, source: 'list.csv', pipeline: 'spring', sendings: 1 }],
      revocations: [],
    })

    const undecided = await workspace.run(['resolve', 'i1', ...config])
    expect(undecided.code).toBe(2)
    expect(undecided.stderr).toContain('--sent')
    const decided = await workspace.run([
      'resolve',
      'i1',
      '--sent',
      '--by',
      'Ada',
      '--reason',
      'seen in the portal',
      '--json',
      ...config,
    ])
    expect(JSON.parse(decided.stdout)).toEqual({ decided: ['i1'] })
    expect(decided.code).toBe(0)
    const again = await workspace.run(['resolve', 'i1', '--not-sent', ...config])
    expect(again.code).toBe(2)
    expect(again.stderr).toContain('nothing was changed')
    expect((await workspace.run(['held', ...config])).stdout).toBe('Nothing is held.\n')
    const result = await workspace.run(['explain', 'i1'])
    expect(result.stdout).toContain('a person decided: sent')
    expect(result.stdout).toContain('by: Ada')
    expect(result.stdout).toContain('seen in the portal')
    expect(workspace.sandbox.requests()).toHaveLength(1)
  })
})

describeWithDatabase('credsync held', () => {
  test('exits with 3 if only a revocation needs a decision', async () => {
    const workspace = await openWorkspace()
    await using database = openDatabase(workspace.env.DATABASE_URL ?? '')
    await database.query(
      `INSERT INTO revocation (environment, credential_id, by, state, words) VALUES ('development', '1111-2222', 'ada', 'refused', 'no')`,
    )
    const listed = await workspace.run(['held', ...config])
    expect(listed.stdout).toMatch(/^revocation of 1111-2222, requested by ada /)
    expect(listed.code).toBe(3)
  })
})

describeWithDatabase('credsync retry', () => {
  test('sends the failed rows of a run again, and the same command continues the run', async () => {
    const workspace = await openWorkspace()
    await workspace.write('list.csv', `${people(2)}fail.3@example.org,Grace,Hopper\nreject.4@example.org,Ada,Byron\n`)
    const first = await workspace.run(issue('list.csv', '--wait', '--json'))
    const { run, states } = JSON.parse(first.stdout)
    expect(states).toMatchObject({ issued: 2, failed: 1, rejected: 1 })
    expect(first.code).toBe(3)

    const withoutIds = await workspace.run(['retry', ...config])
    expect(withoutIds.code).toBe(2)
    const rejectedRow = await workspace.run(['retry', 'i4', ...config])
    expect(rejectedRow.stderr).toMatch(
      /^i4: nothing was changed, .* but rejected\. The certification body rejected it,/m,
    )
    expect(rejectedRow.code).toBe(2)
    await using database = openDatabase(workspace.env.DATABASE_URL ?? '')
    await database.query('UPDATE issuance SET surplus_items = 1 WHERE id = 3')
    const withOtherItem = await workspace.run(['retry', 'i3', ...config])
    expect([withOtherItem.code, withOtherItem.stderr]).toEqual([
      2,
      expect.stringContaining(
        'the report shows 1 other item for this person, and sending i3 again could issue a second',
      ),
    ])
    await database.query('UPDATE issuance SET surplus_items = 0 WHERE id = 3')
    const retried = await workspace.run(['retry', '--run', run, '--json', ...config])
    expect(JSON.parse(retried.stdout)).toEqual({ decided: ['i3'] })
    const second = await workspace.run(issue('list.csv', '--wait', '--json'))
    expect(JSON.parse(second.stdout)).toMatchObject({ run, states: { issued: 2, failed: 1 } })
    expect(
      workspace.sandbox.requests().filter((request) => request.student.Email === 'fail.3@example.org'),
    ).toHaveLength(2)
    expect(workspace.sandbox.requests()).toHaveLength(5)
  })
})
