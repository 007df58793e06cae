// The journey of one row from the file to the results, step by step, with a real database, real files, and the
// service's sandbox over HTTP. The titles are the headings of docs/a-row.md; test/repository/docs.test.ts checks that
// they are equal.

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { issue } from '#jobs/issue.ts'
import { readReportOnce } from '#jobs/reconcile.ts'
import { writeBack } from '#jobs/write-back.ts'
import { type SteppedClock, steppedClock } from '#test/support/clock.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openWorld, type World } from '#test/support/world.ts'

const source = [
  'e_mail,First Name,Last Name,Birth Date,note',
  'ada@example.org,Ada,Lovelace,1815-12-10,=1+1',
  'grace@example.org,Grace,,1906-12-09,no last name',
  '',
].join('\n')

describeWithDatabase('the journey of one row', () => {
  let world: World
  let serviceClock: SteppedClock
  let runId: string
  let attemptId: number
  let issuanceId: number

  beforeAll(async () => {
    serviceClock = steppedClock(new Date())
    world = await openWorld({
      sandboxClock: serviceClock,
      pipeline: { options: { publicLink: true } },
      sandbox: { pace: { queueMs: 1_000, progressMs: 1_000 }, reportLagMs: 500 },
    })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const issuance = async () => {
    const [found] = await world.app.ledger.issuances.explain({ id: issuanceId })
    if (!found) throw new Error('the issuance is gone')
    return found
  }
  const states = async () => (await world.app.ledger.runs.withStates(runId))?.states

  test('1. A file becomes a run', async () => {
    runId = await world.receive('spring.csv', source)
    const run = await world.app.ledger.runs.find(runId)
    expect(run).toMatchObject({ state: 'received', pipeline: 'spring', sourceName: 'spring.csv', rows: 0, accepted: 0 })
    expect(world.wire.seen).toEqual([])
  })

  test('2. Its rows are checked and published all at once; an invalid row goes into the invalid-rows file', async () => {
    await intake(world.app, { runId })
    const run = await world.app.ledger.runs.find(runId)
    expect(run).toMatchObject({ state: 'published', rows: 2, invalid: 1, skipped: 0, accepted: 1 })
    expect(world.wire.seen.filter((path) => path.includes('fieldList'))).toHaveLength(1)
    const [header, row] = (await readFile(run?.invalidPath ?? '', 'utf8')).split('\r\n')
    expect(header).toBe(
      '\uFEFFrow,column,rule,what_to_do,e_mail,First Name,Last Name,Birth Date,note,empty_when_mended',
    )
    expect(row).toMatch(/^3,Last Name,required,.*Fill it in.*grace@example\.org,Grace/)
  })

  test('3. A good row becomes an issuance, pending', async () => {
    const [found] = await world.app.ledger.issuances.explain({
      hashes: [world.app.ledger.hasher.match('email', 'ADA@example.org ')],
    })
    issuanceId = found?.id ?? 0
    expect(await issuance()).toMatchObject({ state: 'pending', row: 2, source: 'spring.csv' })
  })

  test('4. It joins a batch, and nothing is sent yet', async () => {
    attemptId = (await prepareOne(world.app.ledger, 'spring', 100)) ?? 0
    expect(await world.app.ledger.attempts.load(attemptId)).toMatchObject({
      recipients: [
        {
          Email: 'ada@example.org',
          'First Name': 'Ada',
          'Last Name': 'Lovelace',
          'Birth Date': '1815-12-10',
          'Primary Value': 'Email',
        },
      ],
    })
    expect(world.sandbox.requests()).toEqual([])
  })

  test('5. The report is read first, then sending is committed, then the call is made, once', async () => {
    const before = world.wire.seen.length
    await issue(world.app, { attemptId }, new AbortController().signal)
    await issue(world.app, { attemptId }, new AbortController().signal) // a queue may deliver a job twice
    expect(world.sandbox.requests()).toHaveLength(1)
    const since = world.wire.seen.slice(before)
    const calls = since.filter((path) => /report|upload/.test(path)).map((path) => path.split('/').at(-1))
    expect(calls).toEqual(['report', 'upload'])
    const steps = (await issuance()).history.map((line) => line.to)
    expect(steps).toEqual(['pending', 'sending', 'requested'])
  })

  test('6. Once the service accepts it, it is requested, but not yet issued', async () => {
    expect(await issuance()).toMatchObject({ state: 'requested', credentialId: null })
    expect(await states()).toMatchObject({ requested: 1, issued: 0 })
  })

  test('7. The report decides: absence means nothing yet, an item is claimed, a completed one is issued', async () => {
    await readReportOnce(world.app, 'deep')
    expect(await issuance()).toMatchObject({ state: 'requested', entityUuid: null })

    await serviceClock.advance(1_200)
    await readReportOnce(world.app, 'deep')
    const [request] = world.sandbox.requests()
    expect(await issuance()).toMatchObject({
      state: 'in_progress',
      entityUuid: request?.entityUuid,
      reportStatus: 'Request inprogress',
    })

    await serviceClock.advance(1_500)
    await readReportOnce(world.app, 'deep')
    const [completed] = world.sandbox.requests()
    expect(completed?.credentialId).toMatch(/^\d+(-\d+)+$/)
    expect(await issuance()).toMatchObject({ state: 'issued', credentialId: completed?.credentialId })
  })

  test('8. The results file shows it, in the order and columns of the source', async () => {
    await writeBack(world.app, { runId })
    const run = await world.app.ledger.runs.find(runId)
    const { credentialId, verifierLink, issueDate, validTill } = await issuance()
    const [header, first, second] = (await readFile(run?.resultsPath ?? '', 'utf8')).split('\r\n')
    expect(header).toBe(
      '\uFEFFe_mail,First Name,Last Name,Birth Date,note,status,credential_id,verifier_link,issue_date,valid_till,reason',
    )
    expect(first?.replaceAll('"', '')).toBe(
      `ada@example.org,Ada,Lovelace,1815-12-10,'=1+1,issued,${credentialId},${verifierLink},${issueDate},${validTill},`,
    )
    expect(second).toMatch(/^grace@example\.org,Grace,.*,invalid,/)
  })

  test('9. The same file again issues nothing, and explain shows the whole story', async () => {
    const again = await world.receive('spring.csv', source)
    expect(again).not.toBe(runId)
    await intake(world.app, { runId: again })
    expect(await world.app.ledger.runs.find(again)).toMatchObject({ rows: 2, invalid: 1, skipped: 1, accepted: 0 })
    expect(await prepareOne(world.app.ledger, 'spring', 100)).toBeNull()
    expect(world.sandbox.requests()).toHaveLength(1)

    const { history, alsoIn } = await issuance()
    expect(history.map((line) => line.to)).toEqual(['pending', 'sending', 'requested', 'in_progress', 'issued'])
    expect(history.map((line) => line.at.getTime())).toEqual(
      history.map((line) => line.at.getTime()).toSorted((a, b) => a - b),
    )
    expect(alsoIn).toHaveLength(1)
  })
})
