// The commands revoke and correct, in this process against a sandbox on the wire; only the worker of the first issue is a process of its own.

import { hash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#src/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aPng, zipOfList } from '#test/support/portraits.ts'
import { openPlace, people } from './place.ts'
import { sayInPlace as say } from './say-in-place.ts'

describeWithDatabase('credsync revoke', () => {
  test('shows whose credentials they are, asks, tells each fault, and goes on with the others', async () => {
    const place = await openPlace()
    await say(place, ['issue', await place.write('people.csv', people(3)), '--pipeline', 'spring', '--wait'])
    const [first, second] = place.sandbox.requests().map((each) => each.credentialId as string)

    const nobody = await say(place, ['revoke', 'i1'])
    expect(nobody.code).toBe(2)
    expect(nobody.stderr).toMatch(/^i1: p…@e….org, .*credential [\d-]+ of spring, issued /)
    expect(nobody.stderr).toContain('--yes')
    expect((await say(place, ['revoke', 'ada@example.org', '--yes'])).code).toBe(2)
    expect((await say(place, ['revoke', 'i1'], 'no')).stderr).toContain('Nothing was changed.')
    expect(place.sandbox.requests().filter((each) => each.revokedAt)).toEqual([])

    const some = await say(
      place,
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
    expect(place.sandbox.requests().map((each) => each.revokedAt !== null)).toEqual([true, true, false])
    expect((await say(place, ['reconcile'])).code).toBe(0)
    const told = await say(place, ['explain', 'i1'])
    expect(told.stdout).toMatch(/^i1: revoked/)
    expect(told.stdout).toMatch(/revocation wanted \(by: ada, why: a slip, revocation: \d+\)/)
    expect((await say(place, ['revoke', 'i1', '--yes'])).stderr).toContain('it is revoked already')
  })
})

describeWithDatabase('credsync correct', () => {
  test('lists the changed rows that wait, and takes one, or what is set, with one question', async () => {
    const place = await openPlace()
    const take = async (name: string, text: string) =>
      say(place, ['issue', await place.write(name, text), '--pipeline', 'spring', '--wait', '--json'])
    await take('people.csv', people(2))
    const changed = await take('right.csv', people(2).replace('Lovelace1', 'Byron'))
    const { run } = JSON.parse(changed.stdout)
    expect((await say(place, ['status', '--run', run])).stdout).toContain(
      '1 changed row waits for a person: `credsync correct`',
    )
    const list = await say(place, ['correct'])
    expect(list.stdout).toMatch(/^i1: p…@e….org, .*; Last Name differs\n {2}in row 2 of right\.csv, received /)
    const command = /credsync (correct i1 --from-row \S+)/.exec(list.stdout)?.[1]?.split(' ') ?? []

    const refused = await say(place, ['correct', 'i1', '--set', 'Email=other@example.org', '--yes'])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('another person, course or occasion')
    expect(place.sandbox.requests()).toHaveLength(2)

    const done = await say(place, [...command, '--wait', '--json'], 'y')
    expect(done.stderr).toContain('  Last Name: L… (9 characters) → B… (5 characters)')
    expect(JSON.parse(done.stdout)).toMatchObject({ old: 'i1', new: expect.any(String), state: 'issued' })
    expect(done.code).toBe(0)
    const set = await say(place, [
      'correct',
      'person.2@example.org',
      '--set',
      'Last Name=King',
      '--wait',
      '--yes',
      '--json',
    ])
    const { new: by, ...rest } = JSON.parse(set.stdout)
    expect(rest).toMatchObject({ old: 'i2', state: 'issued' })
    const book = place.sandbox.requests().map((each) => [each.student['Last Name'], each.revokedAt === null])
    expect(book).toEqual([
      ['Lovelace1', false],
      ['Lovelace2', false],
      ['Byron', true],
      ['King', true],
    ])
    expect((await say(place, ['correct'])).stdout).toContain('No changed row waits')
    const both = await say(place, ['explain', 'person.2@example.org'])
    expect(both.stdout).toContain(`corrected     ${by} took its place`)
    expect(both.stdout).toMatch(/corrects +i2, whose place it took/)
    expect((await say(place, ['correct', 'i2', '--set', 'Last Name=Lord', '--yes'])).stderr).toContain(
      `was corrected already: ${by}`,
    )
  })

  test('sends a failed row again with the data that were mended at its source, and revokes nothing', async () => {
    const place = await openPlace()
    const list = (name: string) => `e_mail,First Name,Last Name\nfail.ada@example.org,Ada,${name}\n`
    const take = async (name: string, text: string) =>
      say(place, ['issue', await place.write(name, text), '--pipeline', 'spring', '--wait', '--json'])
    expect(JSON.parse((await take('list.csv', list('Lovelace'))).stdout).states).toMatchObject({ failed: 1 })
    await take('mended.csv', list('Byron'))
    const waiting = await say(place, ['correct'])
    expect(waiting.stdout).toMatch(/^i1: f…@e….org, .*; Last Name differs; it failed, so there is no credential yet\n/)
    const command = /credsync (correct i1 --from-row \S+)/.exec(waiting.stdout)?.[1]?.split(' ') ?? []
    expect((await say(place, command, 'no')).stderr).toContain('Nobody has a credential. Send it again')
    expect(place.sandbox.requests()).toHaveLength(1)

    const sent = await say(place, [...command, '--yes', '--wait', '--json'])
    // The sandbox fails this address whatever the name: a person looks again.
    expect([JSON.parse(sent.stdout).state, sent.code]).toEqual(['failed', 3])
    expect(place.sandbox.requests().map((each) => each.student['Last Name'])).toEqual(['Lovelace', 'Byron'])
    const told = await say(place, ['explain', 'i1'])
    expect(told.stdout).toContain('a person decided: send again')
    expect((await say(place, ['correct'])).stdout).toContain('No changed row waits')

    await say(place, ['retry', 'i1'])
    const looked = await say(place, ['reconcile', '--once'])
    expect(looked.stderr).not.toContain('Nothing is open')
    expect(looked.stderr).toContain('1 row waits to be sent: `credsync start` sends them')
  })

  test('sends the photo that came with the row, says so, and sends none in place of one that is gone', async () => {
    const place = await openPlace({ pipeline: { batch: { mode: 'upload' } } })
    const take = async (name: string, last: string, photo: string) => {
      const list = `e_mail,First Name,Last Name,Photo\nfail.ada@example.org,Ada,${last},p.png\n`
      await writeFile(join(place.folder, name), zipOfList(list, { 'p.png': aPng(photo) }))
      return JSON.parse((await say(place, ['issue', name, '--pipeline', 'spring', '--wait', '--json'])).stdout)
    }
    const { states } = await take('c1.zip', 'Onee', 'a')
    expect(states).toMatchObject({ failed: 1 })
    const { run } = await take('c2.zip', 'One', 'b')
    const waiting = await say(place, ['correct'])
    expect(waiting.stdout).toContain('Last Name, Photo differ')
    const sent = await say(place, ['correct', 'i1', '--from-row', `${run}:2`, '--yes', '--wait'])
    expect(sent.stderr).toContain('  Photo: the one that came with row 2 of c2.zip goes with it\n')
    const images = () => place.sandbox.requests().map(({ student, image }) => [student['Last Name'], image])
    const hashed = (photo: string) => hash('sha256', aPng(photo))
    expect(images()).toEqual([
      ['Onee', hashed('a')],
      ['One', hashed('b')],
    ])
    const set = await say(place, ['correct', 'i1', '--set', 'Last Name=Two', '--yes', '--wait'])
    expect(set.stderr).toContain('Its photo goes with it as it came before.')
    expect(images().at(-1)).toEqual(['Two', hashed('b')])

    const { run: third } = await take('c3.zip', 'Three', 'c')
    const database = openDatabase(place.env.DATABASE_URL ?? '')
    onTestFinished(() => database[Symbol.asyncDispose]())
    await database.query(`DELETE FROM image WHERE sha256 = decode($1, 'hex')`, [hashed('c')])
    const refused = await say(place, ['correct', 'i1', '--from-row', `${third}:2`, '--yes'])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('is not kept any more, and the old one would go in its place')
    expect(images()).toHaveLength(3)
  })

  test('refuses whoever can mean several rows, whatever state they are in, and lists them', async () => {
    const place = await openPlace({
      pipeline: { correlation: 'reg_no', columns: { Email: 'e_mail', 'Primary Value': 'by' } },
    })
    const list = [
      'e_mail,First Name,Last Name,Register Number,Contact Number,by',
      'reject.ada@example.org,Ada,Byron,777124,,Email',
      'bea@example.org,Bea,King,,777124,Contact Number',
      '',
    ].join('\n')
    await say(place, ['issue', await place.write('list.csv', list), '--pipeline', 'spring', '--wait'])
    const [, bea] = place.sandbox.requests()
    const asked = await say(place, ['correct', '777124', '--set', 'Last Name=Lord', '--yes'])
    expect(asked.code).toBe(2)
    expect(asked.stderr).toMatch(/^ {2}i1: rejected, r…@e….org/m)
    expect(asked.stderr).toMatch(/^ {2}i2: issued, b…@e….org/m)
    expect([bea?.revokedAt, place.sandbox.requests().length]).toEqual([null, 2])
  })

  test('revokes nothing while the course cannot issue, and says why', async () => {
    const place = await openPlace()
    await say(place, ['issue', await place.write('people.csv', people(1)), '--pipeline', 'spring', '--wait'])
    expect((await say(place, ['courses', 'disable', 'spring', '--yes'])).code).toBe(0)
    const refused = await say(place, ['correct', 'i1', '--set', 'Last Name=Byron', '--yes'])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('Nothing was changed: the corrected credential could not be issued now')
    expect(refused.stderr).toContain('the course is disabled')
    expect(place.sandbox.requests().map((each) => each.revokedAt)).toEqual([null])
    await say(place, ['courses', 'enable', 'spring', '--yes'])
    const file = JSON.parse(await readFile(join(place.folder, 'credsync.yaml'), 'utf8'))
    file.pipelines.spring.badgeTemplate = file.pipelines.spring.template
    await place.write('credsync.yaml', JSON.stringify(file))
    const strange = await say(place, ['correct', 'i1', '--set', 'Last Name=Byron', '--yes'])
    expect(strange.stderr).toContain('the badgeTemplate of the pipeline does not belong to the course')
    expect(place.sandbox.requests().map((each) => each.revokedAt)).toEqual([null])
  })

  test('drops nothing silently when somebody else corrects meanwhile: other data end with 3, and the same go on', async () => {
    const place = await openPlace()
    await say(place, ['issue', await place.write('people.csv', people(1)), '--pipeline', 'spring', '--wait'])
    const told = await Promise.all(
      ['Byron', 'King'].map((name) => say(place, ['correct', 'i1', '--set', `Last Name=${name}`, '--wait'], 'yes')),
    )
    const names = place.sandbox.requests().map((each) => each.student['Last Name'])
    expect(names).toHaveLength(2)
    const loser = told[names[1] === 'Byron' ? 1 : 0]
    expect(loser?.code).not.toBe(0)
    expect(loser?.stderr).toMatch(/with other data. Yours were not taken|was corrected already|is under way already/)
  })
})
