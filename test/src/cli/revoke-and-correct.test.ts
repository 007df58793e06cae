// The commands revoke and correct, run in this process against a sandbox over HTTP.

import { hash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aPng, zipOfList } from '#test/support/portraits.ts'
import { issue, openWorkspace, people } from './cli-workspace.ts'
import { runInWorkspace } from './run-in-workspace.ts'

describeWithDatabase('credsync revoke', () => {
  test('shows whose credentials the ids name, asks for confirmation, reports each invalid id, and revokes the others', async () => {
    const workspace = await openWorkspace()
    await workspace.run(issue(await workspace.write('people.csv', people(3)), '--wait'))
    const [first, second] = workspace.sandbox.requests().map((request) => request.credentialId as string)

    const nobody = await runInWorkspace(workspace, ['revoke', 'i1'])
    expect(nobody.code).toBe(2)
    expect(nobody.stderr).toMatch(/^i1: p…@e….org, .*credential [\d-]+ of spring, issued /)
    expect(nobody.stderr).toContain('--yes')
    expect((await runInWorkspace(workspace, ['revoke', 'ada@example.org', '--yes'])).code).toBe(2)
    expect((await runInWorkspace(workspace, ['revoke', 'i1'], 'no')).stderr).toContain('Nothing was changed.')
    expect(workspace.sandbox.requests().filter((request) => request.revokedAt)).toEqual([])

    const some = await runInWorkspace(
      workspace,
      ['revoke', 'i1', second as string, 'i99', '1-1', '--reason', 'a slip', '--by', 'ada', '--json'],
      'yes',
    )
    expect(some.code).toBe(3)
    expect(some.stderr).not.toContain('person.')
    expect(JSON.parse(some.stdout).revocations).toEqual([
      { id: 'i99', credential: null, state: null, sentence: expect.stringContaining('the ledger has no i99') },
      { id: '1-1', credential: null, state: null, sentence: expect.stringContaining('Check the id.') },
      { id: 'i1', credential: first, state: expect.stringMatching(/accepted|seen/), sentence: expect.any(String) },
      { id: second, credential: second, state: expect.stringMatching(/accepted|seen/), sentence: expect.any(String) },
    ])
    expect(workspace.sandbox.requests().map((request) => request.revokedAt !== null)).toEqual([true, true, false])
    expect((await runInWorkspace(workspace, ['reconcile'])).code).toBe(0)
    const result = await runInWorkspace(workspace, ['explain', 'i1'])
    expect(result.stdout).toMatch(/^i1: revoked/)
    expect(result.stdout).toMatch(/revocation wanted \(by: ada, why: a slip, revocation: \d+\)/)
    expect((await runInWorkspace(workspace, ['revoke', 'i1', '--yes'])).stderr).toContain('it is already revoked')
  })
})

describeWithDatabase('credsync correct', () => {
  test('lists the changed rows that are waiting, and asks once before it applies one of them or given values', async () => {
    const workspace = await openWorkspace()
    const issueList = async (name: string, text: string) =>
      workspace.run(issue(await workspace.write(name, text), '--wait', '--json'))
    await issueList('people.csv', people(2))
    const changed = await issueList('right.csv', people(2).replace('Lovelace1', 'Byron'))
    const { run } = JSON.parse(changed.stdout)
    expect((await runInWorkspace(workspace, ['status', '--run', run])).stdout).toContain(
      '1 changed row is waiting for a decision: `credsync correct`',
    )
    const document = JSON.parse((await runInWorkspace(workspace, ['correct', '--json'])).stdout)
    expect(document.waiting).toEqual([
      expect.objectContaining({ issuanceId: 'i1', run, row: 2, source: 'right.csv', changedFields: ['Last Name'] }),
    ])
    expect(JSON.stringify(document)).not.toContain('person.1')
    const list = await runInWorkspace(workspace, ['correct'])
    expect(list.stdout).toMatch(/^i1: p…@e….org, .*; Last Name differs\n {2}in row 2 of right\.csv, received /)
    const command = /credsync (correct i1 --from-row \S+)/.exec(list.stdout)?.[1]?.split(' ') ?? []

    const refused = await runInWorkspace(workspace, ['correct', 'i1', '--set', 'Email=other@example.org', '--yes'])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('another person, course or occasion')
    expect(workspace.sandbox.requests()).toHaveLength(2)

    const done = await runInWorkspace(workspace, [...command, '--wait', '--json'], 'y')
    expect(done.stderr).toContain('  Last Name: L… (9 characters) → B… (5 characters)')
    expect(JSON.parse(done.stdout)).toMatchObject({ old: 'i1', new: expect.any(String), state: 'issued' })
    expect(done.code).toBe(0)
    const set = await runInWorkspace(workspace, [
      'correct',
      'person.2@example.org',
      '--set',
      'Last Name=King',
      '--wait',
      '--yes',
      '--json',
    ])
    const { new: correctedBy, ...rest } = JSON.parse(set.stdout)
    expect(rest).toMatchObject({ old: 'i2', state: 'issued' })
    const namesAndValidity = workspace.sandbox
      .requests()
      .map((request) => [request.student['Last Name'], request.revokedAt === null])
    expect(namesAndValidity).toEqual([
      ['Lovelace1', false],
      ['Lovelace2', false],
      ['Byron', true],
      ['King', true],
    ])
    expect((await runInWorkspace(workspace, ['correct'])).stdout).toContain('No changed row is waiting')
    const both = await runInWorkspace(workspace, ['explain', 'person.2@example.org'])
    expect(both.stdout).toContain(`corrected     ${correctedBy} replaced it`)
    expect(both.stdout).toMatch(/corrects +i2, which it replaced/)
    expect((await runInWorkspace(workspace, ['correct', 'i2', '--set', 'Last Name=Lord', '--yes'])).stderr).toContain(
      `has already been corrected: ${correctedBy}`,
    )
  })

  test('sends a failed row again with data corrected at its source, and revokes nothing', async () => {
    const workspace = await openWorkspace()
    const list = (name: string) => `e_mail,First Name,Last Name\nfail.ada@example.org,Ada,${name}\n`
    const issueList = async (name: string, text: string) =>
      workspace.run(issue(await workspace.write(name, text), '--wait', '--json'))
    expect(JSON.parse((await issueList('list.csv', list('Lovelace'))).stdout).states).toMatchObject({ failed: 1 })
    await issueList('fixed.csv', list('Byron'))
    const waiting = await runInWorkspace(workspace, ['correct'])
    expect(waiting.stdout).toMatch(/^i1: f…@e….org, .*; Last Name differs; it failed, so there is no credential yet\n/)
    const command = /credsync (correct i1 --from-row \S+)/.exec(waiting.stdout)?.[1]?.split(' ') ?? []
    expect((await runInWorkspace(workspace, command, 'no')).stderr).toContain(
      'No credential has been issued yet. Send the row again',
    )
    expect(workspace.sandbox.requests()).toHaveLength(1)

    const sent = await runInWorkspace(workspace, [...command, '--yes', '--wait', '--json'])
    // The sandbox fails this address whatever the name, so an operator has to decide again.
    expect([JSON.parse(sent.stdout).state, sent.code]).toEqual(['failed', 3])
    expect(workspace.sandbox.requests().map((request) => request.student['Last Name'])).toEqual(['Lovelace', 'Byron'])
    const result = await runInWorkspace(workspace, ['explain', 'i1'])
    expect(result.stdout).toContain('a person decided: send again')
    expect((await runInWorkspace(workspace, ['correct'])).stdout).toContain('No changed row is waiting')

    await runInWorkspace(workspace, ['retry', 'i1'])
    const reconciled = await runInWorkspace(workspace, ['reconcile', '--once'])
    expect(reconciled.stderr).not.toContain('Nothing is open')
    expect(reconciled.stderr).toContain('1 row waits to be sent: `credsync start` sends it')
  })

  test('sends the image of the row and says so, and is refused if that image is no longer stored', async () => {
    const workspace = await openWorkspace({ pipeline: { batch: { mode: 'upload' } } })
    const issueList = async (name: string, last: string, photo: string) => {
      const list = `e_mail,First Name,Last Name,Photo\nfail.ada@example.org,Ada,${last},p.png\n`
      await writeFile(join(workspace.folder, name), zipOfList(list, { 'p.png': aPng(photo) }))
      return JSON.parse((await workspace.run(issue(name, '--wait', '--json'))).stdout)
    }
    const { states } = await issueList('c1.zip', 'Onee', 'a')
    expect(states).toMatchObject({ failed: 1 })
    const { run } = await issueList('c2.zip', 'One', 'b')
    const waiting = await runInWorkspace(workspace, ['correct'])
    expect(waiting.stdout).toContain('Last Name, Photo differ')
    const sent = await runInWorkspace(workspace, ['correct', 'i1', '--from-row', `${run}:2`, '--yes', '--wait'])
    expect(sent.stderr).toContain('  Photo: the image from row 2 of c2.zip is sent\n')
    const images = () => workspace.sandbox.requests().map(({ student, image }) => [student['Last Name'], image])
    const hashed = (photo: string) => hash('sha256', aPng(photo))
    expect(images()).toEqual([
      ['Onee', hashed('a')],
      ['One', hashed('b')],
    ])
    const set = await runInWorkspace(workspace, ['correct', 'i1', '--set', 'Last Name=Two', '--yes', '--wait'])
    expect(set.stderr).toContain('The image of the row is sent again, unchanged.')
    expect(images().at(-1)).toEqual(['Two', hashed('b')])

    const { run: third } = await issueList('c3.zip', 'Three', 'c')
    const database = openDatabase(workspace.env.DATABASE_URL ?? '')
    onTestFinished(() => database[Symbol.asyncDispose]())
    await database.query(`DELETE FROM image WHERE sha256 = decode($1, 'hex')`, [hashed('c')])
    const refused = await runInWorkspace(workspace, ['correct', 'i1', '--from-row', `${third}:2`, '--yes'])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('is no longer kept, and the old one would be sent in its place')
    expect(images()).toHaveLength(3)
  })

  test('refuses an argument that matches several rows in any state, and lists them', async () => {
    const workspace = await openWorkspace({
      pipeline: { correlation: 'reg_no', columns: { Email: 'e_mail', 'Primary Value': 'by' } },
    })
    const list = [
      'e_mail,First Name,Last Name,Register Number,Contact Number,by',
      'reject.ada@example.org,Ada,Byron,777124,,Email',
      'bea@example.org,Bea,King,,777124,Contact Number',
      '',
    ].join('\n')
    await workspace.run(issue(await workspace.write('list.csv', list), '--wait'))
    const [, bea] = workspace.sandbox.requests()
    const severalMatches = await runInWorkspace(workspace, ['correct', '777124', '--set', 'Last Name=Lord', '--yes'])
    expect(severalMatches.code).toBe(2)
    expect(severalMatches.stderr).toMatch(/^ {2}i1: rejected, r…@e….org/m)
    expect(severalMatches.stderr).toMatch(/^ {2}i2: issued, b…@e….org/m)
    expect([bea?.revokedAt, workspace.sandbox.requests().length]).toEqual([null, 2])
  })

  test('revokes nothing while the course cannot issue, and says why', async () => {
    const workspace = await openWorkspace()
    await workspace.run(issue(await workspace.write('people.csv', people(1)), '--wait'))
    expect((await runInWorkspace(workspace, ['courses', 'disable', 'spring', '--yes'])).code).toBe(0)
    const refused = await runInWorkspace(workspace, ['correct', 'i1', '--set', 'Last Name=Byron', '--yes'])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('Nothing was changed: the corrected credential could not be issued now')
    expect(refused.stderr).toContain('the course is disabled')
    expect(workspace.sandbox.requests().map((request) => request.revokedAt)).toEqual([null])
  })

  test('applies only one of two concurrent corrections with different data, and reports that to the other', async () => {
    const workspace = await openWorkspace()
    await workspace.run(issue(await workspace.write('people.csv', people(1)), '--wait'))
    const result = await Promise.all(
      ['Byron', 'King'].map((name) =>
        runInWorkspace(workspace, ['correct', 'i1', '--set', `Last Name=${name}`, '--wait'], 'yes'),
      ),
    )
    const names = workspace.sandbox.requests().map((request) => request.student['Last Name'])
    expect(names).toHaveLength(2)
    const loser = result[names[1] === 'Byron' ? 1 : 0]
    expect(loser?.code).not.toBe(0)
    expect(loser?.stderr).toMatch(
      /with different data. Your data was not used|has already been corrected|is already in progress/,
    )
  })
})
