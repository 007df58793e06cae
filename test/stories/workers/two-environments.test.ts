// The two environments may share a ledger, but a worker of one environment never makes calls for rows of the other.

import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { issue } from '#jobs/issue.ts'
import { openSandbox } from '#sandboxes/service/open-sandbox.ts'
import { openApp } from '#src/app/app.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openWorld, peopleCsv } from '#test/support/world.ts'

describeWithDatabase('a worker of production on a ledger with rows of development', () => {
  test('reads none of their files and sends none of their rows, whatever job it gets', async () => {
    await using world = await openWorld()
    const attempted = await world.receive('first.csv', peopleCsv(3))
    await intake(world.app, { runId: attempted })
    const attemptId = (await prepareOne(world.app.ledger, 'spring', 10)) ?? 0
    const unread = await world.receive('second.csv', peopleCsv(3, 50))

    const productionSandbox = await openSandbox({}, systemClock)
    const { file } = world.settings
    const settings = {
      ...world.settings,
      baseUrl: productionSandbox.url,
      file: { ...file, service: { ...file.service, environment: 'production' as const } },
    }
    await using production = await openApp(settings, { clock: systemClock, log: silentLog, random: () => 0.5 })
    await issue(production, { attemptId }, new AbortController().signal)
    await intake(production, { runId: unread })
    expect(productionSandbox.requests()).toEqual([])
    expect(await prepareOne(production.ledger, 'spring', 10)).toBeNull()
    expect(await world.app.ledger.runs.find(unread)).toMatchObject({ state: 'received' })
    expect(await world.app.ledger.attempts.load(attemptId)).toMatchObject({ environment: 'development' })
    await productionSandbox.close()
  })
})
