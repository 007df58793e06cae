// The same person or the same file is recognized: a mistake would issue a second credential or report that of
// another person.

import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { writeBack } from '#jobs/write-back.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'
import { openWorld, peopleCsv } from '#test/support/world.ts'

describeWithDatabase('a second file', () => {
  test('that has another name for a known address gets a result, but not the first person’s credential', async () => {
    await using world = await openWorld()
    const first = await world.receive('first.csv', 'e_mail,First Name,Last Name\nshared@example.org,Ann,One\n')
    await intake(world.app, { runId: first })
    const second = await world.receive(
      'second.csv',
      'e_mail,First Name,Last Name\nshared@example.org,Bea,Two\nSHARED@example.org,ann,one\n',
    )
    await intake(world.app, { runId: second })
    const run = await world.app.ledger.runs.find(second)
    expect(run).toMatchObject({ rows: 2, invalid: 2, skipped: 0, accepted: 0 })
    const third = await world.receive('third.csv', 'e_mail,First Name,Last Name\nshared@example.org,Bea,Two\n')
    await intake(world.app, { runId: third })
    await world.app.ledger.writeBacks.want(third)
    await writeBack(world.app, { runId: third })
    const result = await world.app.ledger.runs.find(third)
    expect(result).toMatchObject({ invalid: 0, skipped: 1, known: 0, changed: 1 })
    const [, line] = (await readFile(result?.resultsPath ?? '', 'utf8')).split('\r\n')
    expect(line).toBe(
      'shared@example.org,Bea,Two,changed,"","","","","known from row 2 of first.csv, and First Name and Last Name differ: a correction, which is never issued automatically"',
    )
  })

  test('that writes a phone number differently has the same person', async () => {
    const columns = { 'Primary Value': { value: 'Contact Number' }, Email: 'e_mail' }
    await using world = await openWorld({ pipeline: { columns } })
    const list = (phone: string) =>
      `e_mail,First Name,Last Name,Contact Number\nada@example.org,Ada,Lovelace,${phone}\n`
    const first = await world.receive('first.csv', list('+49171000111'))
    await intake(world.app, { runId: first })
    for (const [name, phone] of [
      ['second.csv', '0049 171 000111'],
      ['third.csv', '+49 (171) 000-111'],
    ] as const) {
      const again = await world.receive(name, list(phone))
      await intake(world.app, { runId: again })
      expect(await world.app.ledger.runs.find(again), phone).toMatchObject({ known: 1, changed: 0, accepted: 0 })
    }
  })
})

describeWithDatabase('a run', () => {
  test('is refused if its file was changed after it was submitted', async () => {
    await using world = await openWorld()
    const runId = await world.receive('list.csv', peopleCsv(3))
    await appendFile(join(world.folder, 'list.csv'), 'late@example.org,Late,Comer\n')
    await intake(world.app, { runId })
    expect(await world.app.ledger.runs.find(runId)).toMatchObject({
      state: 'refused',
      accepted: 0,
      refusal: expect.stringContaining('changed'),
    })
  })

  test('is refused if its file is rewritten while it is read', async () => {
    await using world = await openWorld()
    const { app } = world
    const runId = await world.receive('list.csv', peopleCsv(3))
    const stage: typeof app.ledger.intake.stage = async (...staged) => {
      // The same number of bytes, in the same file, as when a program updates its list in place.
      await writeFile(join(world.folder, 'list.csv'), peopleCsv(3).replaceAll('Ada', 'Eva'))
      return app.ledger.intake.stage(...staged)
    }
    const log = openRecordedLog()
    await intake({ ...app, log, ledger: { ...app.ledger, intake: { ...app.ledger.intake, stage } } }, { runId })
    expect(await app.ledger.runs.find(runId)).toMatchObject({
      state: 'refused',
      accepted: 0,
      refusal: expect.stringContaining('list.csv changed after it was submitted, and nothing from it was issued.'),
    })
    expect((await app.database.query('SELECT FROM issuance')).rowCount).toBe(0)
    expect(log.lines).toEqual([['run.refused', { run: runId, pipeline: 'spring', error: 'SourceChangedError' }]])
  })

  test('whose invalid-rows file was not recorded because of a crash gets it with its results', async () => {
    await using world = await openWorld()
    const runId = await world.receive('list.csv', `${peopleCsv(1)}nobody,Ada,Lovelace\n`)
    await intake(world.app, { runId })
    await world.app.database.query('UPDATE run SET invalid_path = NULL')
    await world.app.ledger.writeBacks.want(runId)
    await writeBack(world.app, { runId })
    const run = await world.app.ledger.runs.find(runId)
    expect(await readFile(run?.invalidPath ?? '', 'utf8')).toContain('nobody')
  })
})
