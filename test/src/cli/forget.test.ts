// The commands forget and erasures in the real program.

import { expect, test } from 'vitest'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { issue, openWorkspace, people, type Workspace } from './cli-workspace.ts'

const config = ['--config', 'credsync.yaml']
const forget = (workspace: Workspace, ...args: string[]) => workspace.run(['forget', ...args, ...config])
const documentOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout)

describeWithDatabase('credsync forget', () => {
  test('shows what would go without a name, asks, and writes an erasure that the list of erasures shows', async () => {
    const workspace = await openWorkspace()
    await workspace.write('list.csv', people(3))
    await workspace.run(issue('list.csv', '--wait'))
    const dry = await forget(workspace, 'person.2@example.org', '--dry-run', '--json')
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
    expect(done.code).toBe(0)
    const { erasure } = documentOf(done)
    expect(documentOf(await workspace.run(['erasures', '--json']))).toMatchObject({
      erasures: [{ id: erasure, by: 'ada', reason: 'a letter', issuances: 1, emptied: 0, endedAt: null }],
    })
    expect((await workspace.run(['erasures'])).stdout).toContain(`${erasure}: open, 0 of 1 emptied`)
    const again = await forget(workspace, 'i2', '--reason', 'a letter', '--yes')
    expect([again.code, again.stderr]).toEqual([2, expect.stringMatching(/^i2: forgotten on 20\d\d-/m)])
  })

  test('never takes two people at one address for one, and says which ids match', async () => {
    const workspace = await openWorkspace({ pipeline: { identity: ['Email', 'First Name'] } })
    await workspace.write('list.csv', `${people(1)}person.1@example.org,Grace,Lovelace1\n`)
    await workspace.run(issue('list.csv', '--wait'))
    const both = await forget(workspace, 'person.1@example.org', '--dry-run', '--json')
    expect(both.code).toBe(2)
    expect(documentOf(both)).toMatchObject({ people: [{ ids: [], ambiguous: ['i1', 'i2'] }] })
    expect(both.stderr).toContain('i1, i2 match, and may be of several people')
    const one = await forget(workspace, 'i2', '--dry-run', '--json')
    expect(documentOf(one)).toMatchObject({ people: [{ ids: ['i2'], leftOut: { ids: [] } }] })
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
