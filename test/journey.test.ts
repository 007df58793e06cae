// The journey of one row, from the file to the results, step by step. All parts are real: database, files, and the service's
// sandbox over HTTP. The titles are the headings of docs/a-row.md, and test/docs.test.ts keeps the two equal.

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { issue } from '#jobs/issue.ts'
import { lookOnce } from '#jobs/reconcile.ts'
import { writeBack } from '#jobs/write-back.ts'
import { type SteppedClock, steppedClock } from './support/clock.ts'
import { describeWithDatabase } from './support/database.ts'
import { openWorld, type World } from './support/world.ts'

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
      sandbox: { pace: { queueMs: 1_000, progressMs: 1_000 }, reportLagMs: 500 },
    })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const life = async () => {
    const [found] = await world.app.ledger.explain({ id: issuanceId })
    if (!found) throw new Error('the issuance is gone')
    return found
  }
  const states = async () => (await world.app.ledger.runWithStates(runId))?.states

  test('A file is handed over', async () => {
    runId = await world.receive('spring.csv', source)
    const run = await world.app.ledger.findRun(runId)
    expect(run).toMatchObject({ state: 'received', pipeline: 'spring', sourceName: 'spring.csv', rows: 0, accepted: 0 })
    expect(world.wire.seen).toEqual([])
  })

  test('Its rows are checked against the course, and appear in the ledger all at once', async () => {
    await intake(world.app, { runId })
    const run = await world.app.ledger.findRun(runId)
    expect(run).toMatchObject({ state: 'published', rows: 2, invalid: 1, skipped: 0, accepted: 1 })
    expect(world.wire.seen.filter((path) => path.includes('fieldList'))).toHaveLength(1)
  })

  test('A wrong row goes into the invalid-rows file, with what to do', async () => {
    const run = await world.app.ledger.findRun(runId)
    const [header, row] = (await readFile(run?.invalidPath ?? '', 'utf8')).split('\r\n')
    expect(header).toBe(
      '\uFEFFrow,column,rule,what_to_do,e_mail,First Name,Last Name,Birth Date,note,empty_when_mended',
    )
    expect(row).toMatch(/^3,Last Name,required,.*Fill it in.*grace@example\.org,Grace/)
  })

  test('A good row is an issuance, pending', async () => {
    const [found] = await world.app.ledger.explain({
      hashes: [world.app.ledger.hasher.match('email', 'ADA@example.org ')],
    })
    issuanceId = found?.id ?? 0
    expect(await life()).toMatchObject({ state: 'pending', row: 2, source: 'spring.csv' })
  })

  test('It joins a batch, and nothing is sent yet', async () => {
    attemptId = (await world.app.ledger.prepareAttempt('spring', 100)) ?? 0
    expect(await world.app.ledger.loadBatch(attemptId)).toMatchObject({
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

  test('The report is read first, then sending is committed, then the call is made, once', async () => {
    await issue(world.app, { attemptId }, new AbortController().signal)
    await issue(world.app, { attemptId }, new AbortController().signal) // a queue may deliver a job twice
    expect(world.sandbox.requests()).toHaveLength(1)
    const calls = world.wire.seen.filter((path) => /report|upload/.test(path)).map((path) => path.split('/').at(-1))
    expect(calls).toEqual(['report', 'upload'])
    const steps = (await life()).history.map((line) => line.to)
    expect(steps).toEqual(['pending', 'sending', 'requested'])
  })

  test("The service's answer makes it requested, which is not yet issued", async () => {
    expect(await life()).toMatchObject({ state: 'requested', credentialId: null })
    expect(await states()).toMatchObject({ requested: 1, issued: 0 })
  })

  test('The report does not show it yet, and that means nothing', async () => {
    await lookOnce(world.app, 'deep')
    expect(await life()).toMatchObject({ state: 'requested', entityUuid: null })
  })

  test('The report shows it: its item is claimed', async () => {
    await serviceClock.advance(1_200)
    await lookOnce(world.app, 'deep')
    const [held] = world.sandbox.requests()
    expect(await life()).toMatchObject({
      state: 'in_progress',
      entityUuid: held?.entityUuid,
      reportStatus: 'Request inprogress',
    })
  })

  test('The report calls it completed: it is issued, with its credential id', async () => {
    await serviceClock.advance(1_500)
    await lookOnce(world.app, 'deep')
    const [held] = world.sandbox.requests()
    expect(held?.credentialId).toMatch(/^\d+(-\d+)+$/)
    expect(await life()).toMatchObject({ state: 'issued', credentialId: held?.credentialId })
  })

  test('The results file tells it, in the order and columns of the source', async () => {
    await writeBack(world.app, { runId })
    const run = await world.app.ledger.findRun(runId)
    const { credentialId, verifierLink, issueDate, validTill } = await life()
    const [header, first, second] = (await readFile(run?.resultsPath ?? '', 'utf8')).split('\r\n')
    expect(header).toBe(
      '\uFEFFe_mail,First Name,Last Name,Birth Date,note,status,credential_id,verifier_link,issue_date,valid_till,reason',
    )
    expect(first?.replaceAll('"', '')).toBe(
      `ada@example.org,Ada,Lovelace,1815-12-10,'=1+1,issued,${credentialId},${verifierLink},${issueDate},${validTill},`,
    )
    expect(second).toMatch(/^grace@example\.org,Grace,.*,invalid,/)
  })

  test('The same file again issues nothing: it is known', async () => {
    const again = await world.receive('spring.csv', source)
    expect(again).not.toBe(runId)
    await intake(world.app, { runId: again })
    expect(await world.app.ledger.findRun(again)).toMatchObject({ rows: 2, invalid: 1, skipped: 1, accepted: 0 })
    expect(await world.app.ledger.prepareAttempt('spring', 100)).toBeNull()
    expect(world.sandbox.requests()).toHaveLength(1)
  })

  test('Whoever asks is told the whole story', async () => {
    const { history, alsoIn } = await life()
    expect(history.map((line) => line.to)).toEqual(['pending', 'sending', 'requested', 'in_progress', 'issued'])
    expect(history.map((line) => line.at.getTime())).toEqual(
      history.map((line) => line.at.getTime()).toSorted((a, b) => a - b),
    )
    expect(alsoIn).toHaveLength(1)
  })
})
