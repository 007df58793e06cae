// held, resolve and retry: what a person decides, by the real program.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { issue, openPlace, people } from './place.ts'

const config = ['--config', 'credsync.yaml']

describeWithDatabase('credsync held and resolve', () => {
  test('list a held row with its evidence and take the answer, once, with who and why', async () => {
    const place = await openPlace()
    await place.write('list.csv', `${people(0)}hold.1@example.org,Ada,Lovelace\n`)
    const issued = await place.run(issue('list.csv', '--wait', '--json'))
    expect(JSON.parse(issued.stdout).states).toMatchObject({ held: 1, issued: 0 })
    expect(issued.code).toBe(3)

    const listed = await place.run(['held', ...config])
    expect(listed.code).toBe(3)
    expect(listed.stdout).toContain('i1: row 2 of list.csv (spring)')
    expect(listed.stdout).toMatch(/because the report shows other values .*: Last Name/)
    expect(listed.stdout).toMatch(/credsync resolve i1 --sent .* stays requested for ever/)
    expect(listed.stdout).toMatch(/credsync resolve i1 --not-sent .* two credentials/)

    const undecided = await place.run(['resolve', 'i1', ...config])
    expect(undecided.code).toBe(2)
    expect(undecided.stderr).toContain('--sent')
    const decided = await place.run([
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
    const again = await place.run(['resolve', 'i1', '--not-sent', ...config])
    expect(again.code).toBe(2)
    expect(again.stderr).toContain('nothing was changed')
    expect((await place.run(['held', ...config])).stdout).toBe('Nothing is held.\n')
    const told = await place.run(['explain', 'i1'])
    expect(told.stdout).toContain('a person decided: sent')
    expect(told.stdout).toContain('by: Ada')
    expect(told.stdout).toContain('seen in the portal')
    expect(place.sandbox.requests()).toHaveLength(1)
  })
})

describeWithDatabase('credsync retry', () => {
  test('sends the failed rows of a run once more, and the run goes on with the same command', async () => {
    const place = await openPlace()
    await place.write('list.csv', `${people(2)}fail.3@example.org,Grace,Hopper\nreject.4@example.org,Ada,Byron\n`)
    const first = await place.run(issue('list.csv', '--wait', '--json'))
    const { run, states } = JSON.parse(first.stdout)
    expect(states).toMatchObject({ issued: 2, failed: 1, rejected: 1 })
    expect(first.code).toBe(3)

    const none = await place.run(['retry', ...config])
    expect(none.code).toBe(2)
    const said = await place.run(['retry', 'i4', ...config])
    expect(said.stderr).toMatch(/^i4: nothing was changed, .* but rejected\. The certification body said no,/m)
    expect(said.code).toBe(2)
    const retried = await place.run(['retry', '--run', run, '--json', ...config])
    expect(JSON.parse(retried.stdout)).toEqual({ decided: ['i3'] })
    const second = await place.run(issue('list.csv', '--wait', '--json'))
    expect(JSON.parse(second.stdout)).toMatchObject({ run, states: { issued: 2, failed: 1 } })
    expect(place.sandbox.requests().filter((request) => request.student.Email === 'fail.3@example.org')).toHaveLength(2)
    expect(place.sandbox.requests()).toHaveLength(5)
  })
})
