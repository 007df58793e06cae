// A list is issued although the service refuses large pages of its report and of its lists.

import { expect, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { collectItems } from '#src/issuer/lists/walk-list.ts'
import { waitingReasons } from '#src/issuing/descriptions/waiting-reasons.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { issueList } from '#test/support/revocation-steps.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, timesIssued } from '#test/support/world.ts'

describeWithDatabase('a service that refuses more than twenty records per page', () => {
  test('still issues credentials for a list of thirty people', async () => {
    const events: { name: string; fields: object }[] = []
    const event = (name: string, fields: object = {}) => void events.push({ name, fields })
    await using world = await openWorld({
      sandbox: { faults: { maxRecordsPerPage: 20 } },
      appOptions: { log: { event } },
    })
    await issueList(world, 'list.csv', peopleCsv(30))
    expect((await world.app.ledger.runs.list())[0]).toMatchObject({ accepted: 30 })
    expect([...timesIssued(world.sandbox).values()]).toEqual(Array(30).fill(1))

    const { items, complete } = await collectItems(world.app.issuer.listTemplates())
    expect([items.length > 0, complete]).toEqual([true, true])
    expect(events).toContainEqual({ name: 'pages.smaller', fields: { where: 'template-list', size: 12 } })
  })
})

describeWithDatabase('a service that begins to refuse large pages while a list is sent', () => {
  test('gets smaller pages once the accepted size is five minutes old; until then the run says what it waits for', async () => {
    let passedMs = 0
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + passedMs }
    await using world = await openWorld({
      pipeline: { batch: { size: 5 } },
      invitations: { concurrency: 1 },
      // The report is read before each call.
      tuning: { baselineAgeMs: 0 },
      appOptions: { clock },
    })
    const { ledger } = world.app
    const runId = await world.receive('list.csv', peopleCsv(30))
    await using _worker = await startWorker(world.app)
    await until('the first call', () => timesIssued(world.sandbox).size > 0)
    world.sandbox.injectFaults({ maxRecordsPerPage: 20 })
    const states = async () => (await ledger.runs.withStates(runId))?.states
    await until('the reason', async () => {
      const now = await ledger.runs.withStates(runId)
      const waits = now && waitingReasons(await ledger.waiting.facts(now)).map(({ what }) => what)
      return waits?.some((what) => what.includes('recordsPerPage')) || JSON.stringify(waits)
    })
    expect((await states())?.issued).toBeLessThan(30)
    passedMs = 6 * 60_000
    await until('all credentials', async () => (await states())?.issued === 30 || JSON.stringify(await states()))
    expect([...timesIssued(world.sandbox).values()]).toEqual(Array(30).fill(1))
  })
})
