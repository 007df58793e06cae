// A list with a column that says who passed: whoever did not is skipped, counted and named, night after night.

import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { writeBack } from '#jobs/write-back.ts'
import { fieldsOfPipelines, whoOf } from '#src/extensions/privacy/commands/read-who.ts'
import { dryRunFile } from '#src/issuing/intake/dry-run-file.ts'
import { runDocument } from '#src/issuing/results/run-document.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { writeErasure } from '#test/support/write-erasure.ts'

const columns = { Email: 'e_mail', 'Primary Value': { value: 'Email' } }
const pipeline = { columns, where: { Status: ['Pass', 'Merit'], Paid: [true, 1] } }

const listOf = (...rows: string[]) => ['e_mail,First Name,Last Name,Status,Paid', ...rows, ''].join('\n')
const firstNight = listOf(
  'a@example.org,Ada,King,PASS,TRUE',
  'b@example.org,Bo,King, merit ,1',
  'c@example.org,Cy,King,Fail,true',
  'd@example.org,M&uuml;ller,King,,true',
  'e@example.org,Eve,King,Pass,no',
  'f@example.org,M&uuml;ller,King,Pass,true',
  'g@example.org,Guy,King,#N/A,true',
  'h@example.org,Hal,King,"=IF(A1>5,""Pass"")",true',
)

async function read(world: World, name: string, text: string) {
  const run = await world.receive(name, text)
  await intake(world.app, { runId: run })
  const found = await world.app.ledger.runs.withStates(run)
  if (!found) throw new Error('The run is missing.')
  return { run, document: runDocument(found.run, found.states, found.surplus), notices: found.run.notices, found }
}

const openPassed = () => openWorld({ pipeline })

describeWithDatabase('a list of which not everybody is meant', () => {
  test('issues those who are, and skips and names the others', async () => {
    await using world = await openPassed()
    const { run, document, notices, found } = await read(world, 'list.csv', firstNight)
    expect(found.run.refusal).toBeNull()
    expect(document).toMatchObject({ rows: 8, accepted: 2, invalid: 3, skipped: 3, notMeant: 3, known: 0, changed: 0 })
    expect([document.balanced, notices]).toEqual([
      true,
      ['Rows that are not meant: 1 (“Status” is Fail), 1 (“Status” is empty), 1 (“Paid” is no).'],
    ])
    expect((await world.app.ledger.violations.byKind(run)).map(({ rule }) => rule).sort()).toEqual([
      'error_cell',
      'formula',
      'markup',
    ])
    await world.app.ledger.writeBacks.want(run)
    await writeBack(world.app, { runId: run })
    const written = (await world.app.ledger.runs.find(run))?.resultsPath ?? ''
    const lines = (await readFile(written, 'utf8')).split('\r\n')
    expect(lines[3]).toMatch(/^c@example\.org,Cy,King,Fail,true,skipped,.*not meant: “Status” is not Pass or Merit/)
    expect(lines[5]).toMatch(/^e@example\.org,Eve,King,Pass,no,skipped,.*not meant: “Paid” is not true or 1/)
  })

  test('issues the next night whoever is meant by then, and says of nobody that they are known who are not', async () => {
    await using world = await openPassed()
    await read(world, 'list.csv', firstNight)
    const next = listOf(
      'a@example.org,Ada,King,Pass,TRUE',
      'b@example.org,Bo,King,Fail,1',
      'c@example.org,Cy,King,Pass,true',
      'd@example.org,Di,King,Fail,true',
    )
    const { document } = await read(world, 'list.csv', next)
    expect(document).toMatchObject({ rows: 4, accepted: 1, invalid: 0, skipped: 3, known: 1, notMeant: 2 })
  })

  test('keeps nothing of somebody who was left out and asks to be forgotten, in this list and the next', async () => {
    await using world = await openPassed()
    const { app } = world
    const { run } = await read(world, 'list.csv', firstNight)
    const fieldsOf = fieldsOfPipelines(app)
    const [who] = await app.ledger.erasures.find([await whoOf(app.ledger, `${run.slice(0, 8)}:4`)], fieldsOf)
    expect([who?.ids, who?.rows]).toEqual([[], [{ run, row: 4 }]])
    const [sameAddress] = await app.ledger.erasures.find([await whoOf(app.ledger, 'c@example.org')], fieldsOf)
    expect(sameAddress?.rows).toEqual([{ run, row: 4 }])
    const id = await writeErasure(app.ledger, { rows: who?.rows ?? [] })
    while ((await app.ledger.erasures.emptyNext(id)) > 0);
    expect(await app.ledger.erasures.end(id)).toBe(true)
    const next = listOf('c@example.org,Cy,King,Pass,true', 'c@example.org,Cy,King,Fail,true')
    const { document } = await read(world, 'next.csv', next)
    expect(document).toMatchObject({ accepted: 0, skipped: 2, forgotten: 2, known: 2, notMeant: 0 })
    const { rows } = await app.database.query(`SELECT FROM run_row r WHERE to_jsonb(r)::text LIKE '%c@example.org%'`)
    expect(rows).toHaveLength(0)
    const after = await app.ledger.runs.find(run)
    expect(after).toMatchObject({ skipped: 3, notMeant: 3, forgotten: 1 })
  })

  test('is rehearsed with the same numbers', async () => {
    await using world = await openPassed()
    const { found } = await read(world, 'list.csv', firstNight)
    const tools = { ...world.app, settings: world.settings } as never
    const { document } = await dryRunFile(tools, { pipeline: 'spring', location: found.run.sourcePath })
    expect(document).toMatchObject({ rows: 8, new: 0, known: 2, notMeant: 3, invalid: 3 })
  })

  test('is refused if it lacks a column that says so', async () => {
    await using world = await openPassed()
    const { found } = await read(world, 'list.csv', firstNight.replace('Status', 'State'))
    expect(found.run.state).toBe('refused')
    expect(found.run.refusal).toContain('There is no column “Status”, by which where decides who is meant.')
  })
})
