// What the ledger reports about why a run is waiting.

import { expect, test } from 'vitest'
import type { WaitingFacts } from '#src/ledger/waiting-facts.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, recipients } from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

async function factsOf({ ledger }: TestLedger, runId: string): Promise<WaitingFacts> {
  const now = await ledger.runs.withStates(runId)
  if (!now) throw new Error('There is no such run.')
  return ledger.waiting.facts(now)
}

const obstaclesOf = async (ledger: TestLedger, runId: string) =>
  (await factsOf(ledger, runId)).obstacles.map(({ subject, detail }) => [subject, detail])

describeWithDatabase('what a run waits for', () => {
  test('is a worker, if none is running', async () => {
    await using ledger = await openTestLedger()
    const runId = await ledger.publish(recipients(1))
    expect(await factsOf(ledger, runId)).toMatchObject({ worker: false })
    const lock = await ledger.ledger.locks.hold('worker')
    if (!lock) throw new Error('The lock is taken.')
    const isWaited = async (work: string[] | null) => {
      await ledger.ledger.workers.record({ host: 'here', pid: 1, configuration: 'c', store: null, work }, lock)
      return !(await factsOf(ledger, runId)).worker
    }
    const seen = [await isWaited(null), await isWaited(['issue', 'web']), await isWaited(['web', 'console'])]
    await isWaited(null)
    await lock.release()
    expect(seen).toEqual([false, false, true])
    expect(await factsOf(ledger, runId)).toMatchObject({ worker: false })
  })

  test('is the canary, until its call is accepted', async () => {
    await using ledger = await openTestLedger()
    const runId = await ledger.publish(recipients(5))
    expect(await factsOf(ledger, runId)).toMatchObject({ canarySince: null })
    const attempt = await ledger.send(1)
    expect((await factsOf(ledger, runId)).canarySince).toBeInstanceOf(Date)
    await ledger.answer(attempt, { class: 'accepted', status: 200 })
    await ledger.send(1)
    expect(await factsOf(ledger, runId)).toMatchObject({ canarySince: null })
  })

  test('is a pause of its own course, not of another one', async () => {
    await using ledger = await openTestLedger()
    const runId = await ledger.publish(recipients(1))
    await ledger.ledger.courses.pause('00000000-0000-4000-8000-00000000000c', 'another', 60_000)
    expect(await factsOf(ledger, runId)).toMatchObject({ pause: null })
    await ledger.ledger.courses.pause(aCourse, 'it is not approved', 60_000)
    expect(await factsOf(ledger, runId)).toMatchObject({ pause: { reason: 'it is not approved' } })
  })

  test('is the due time of its rows, as long as it is in the future', async () => {
    await using ledger = await openTestLedger()
    const runId = await ledger.publish(recipients(5))
    const attempt = await prepareOne(ledger.ledger, 'spring', 3)
    await ledger.ledger.attempts.drop(attempt as number, 'the pipeline is gone', 60_000)
    expect((await factsOf(ledger, runId)).rows).toEqual([
      { reason: 'the pipeline is gone', count: 3, until: expect.any(Date) },
    ])
    await ledger.timePasses(120_000)
    expect((await factsOf(ledger, runId)).rows).toEqual([])
  })

  test('is the report, if an outcome is unknown', async () => {
    await using ledger = await openTestLedger()
    const runId = await ledger.publish(recipients(5))
    await ledger.answer(await ledger.send(2), { class: 'unknown' })
    await ledger.ledger.poller.hurry(1_000)
    expect(await factsOf(ledger, runId)).toMatchObject({
      doubtedSince: expect.any(Date),
      nextReading: expect.any(Date),
      states: { unconfirmed: 2 },
    })
  })

  test('is an obstacle that a worker recorded, until it is cleared, has ended, or is not recorded again', async () => {
    await using ledger = await openTestLedger()
    const runId = await ledger.publish(recipients(1))
    const { obstacles } = ledger.ledger
    await obstacles.note({ subject: 'issue', detail: 'HTTP 500', endsInMs: null })
    await obstacles.note({ subject: 'gate invite', detail: 'at invite', endsInMs: 60_000 })
    const [first] = (await factsOf(ledger, runId)).obstacles
    await obstacles.note({ subject: 'issue', detail: 'HTTP 502', endsInMs: null })
    const [again, gate] = (await factsOf(ledger, runId)).obstacles
    expect(again).toMatchObject({ detail: 'HTTP 502', since: first?.since, until: null })
    expect(gate).toMatchObject({ subject: 'gate invite', until: expect.any(Date) })

    await ledger.database.query(`UPDATE obstacle SET until = clock_timestamp() WHERE subject = 'gate invite'`)
    expect(await obstaclesOf(ledger, runId)).toEqual([['issue', 'HTTP 502']])
    await ledger.database.query(
      `UPDATE obstacle SET since = since - interval '1 hour', seen_at = seen_at - interval '1 hour'`,
    )
    expect(await obstaclesOf(ledger, runId)).toEqual([])
    // An obstacle that is recorded again after that counts as a new one.
    await obstacles.note({ subject: 'issue', detail: 'HTTP 503', endsInMs: null })
    const [anew] = (await factsOf(ledger, runId)).obstacles
    expect(anew?.since.getTime()).toBeGreaterThan(first?.since.getTime() ?? 0)
    await obstacles.clear('issue')
    expect(await obstaclesOf(ledger, runId)).toEqual([])
  })

  test('is the report, if its scans keep ending early', async () => {
    await using ledger = await openTestLedger()
    const runId = await ledger.publish(recipients(1))
    expect(await factsOf(ledger, runId)).toMatchObject({ cutReadings: 0, cutSince: null })
    const cut = { complete: false, pages: 1, items: 1, claimed: 0, unknown: 0, problem: 'x' }
    for (const _ of [1, 2]) await ledger.ledger.scans.end((await ledger.ledger.scans.begin('2026-01-01')).id, cut)
    expect(await factsOf(ledger, runId)).toMatchObject({ cutReadings: 2, cutSince: expect.any(Date) })
    await ledger.scan()
    expect(await factsOf(ledger, runId)).toMatchObject({ cutReadings: 0 })
  })
})
