// The two environments share a ledger at the most, never a call: a job of one is nothing to a worker of the other.

import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { issue } from '#jobs/issue.ts'
import { openApp } from '#src/app.ts'
import { silentLog } from '#src/log/log.ts'
import { openSandbox } from '#src/sandbox/open-sandbox.ts'
import { systemClock } from '#src/time/clock.ts'
import { describeWithDatabase } from './support/database.ts'
import { openWorld, peopleCsv } from './support/world.ts'

describeWithDatabase('a worker of production on a ledger with rows of development', () => {
  test('reads none of their files and sends none of their rows, whatever job it is handed', async () => {
    await using world = await openWorld()
    const attempted = await world.receive('first.csv', peopleCsv(3))
    await intake(world.app, { runId: attempted })
    const attemptId = (await world.app.ledger.prepareAttempt('spring', 10)) ?? 0
    const unread = await world.receive('second.csv', peopleCsv(3, 50))

    const live = await openSandbox({}, systemClock)
    const { file } = world.settings
    const settings = {
      ...world.settings,
      baseUrl: live.url,
      file: { ...file, service: { ...file.service, environment: 'production' as const } },
    }
    await using production = await openApp(settings, { clock: systemClock, log: silentLog, random: () => 0.5 })
    await issue(production, { attemptId }, new AbortController().signal)
    await intake(production, { runId: unread })
    expect(live.requests()).toEqual([])
    expect(await production.ledger.prepareAttempt('spring', 10)).toBeNull()
    expect(await world.app.ledger.findRun(unread)).toMatchObject({ state: 'received' })
    expect(await world.app.ledger.loadBatch(attemptId)).toMatchObject({ environment: 'development' })
    await live.close()
  })
})
