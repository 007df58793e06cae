// Two workers with one Redis and one learning system: a completion that reaches both is ingested, issued and delivered
// once.

import { expect, test } from 'vitest'
import { deliver } from '#jobs/lms/deliver.ts'
import { pollLms } from '#jobs/lms/poll-lms.ts'
import { processEvents } from '#jobs/lms/process-events.ts'
import { startWorker } from '#jobs/worker.ts'
import { writeBack } from '#jobs/write-back.ts'
import { type App, openApp } from '#src/app/app.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { openMetrics } from '#src/web/open-metrics.ts'
import { serveWeb } from '#src/web/serve-web.ts'
import { completedHook, completionWait, openCampus, profileFields } from '#test/support/campus.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { openScriptedServer } from '#test/support/scripted-server.ts'

const secret = `whsec_${Buffer.from('a key that only two of us know, ever').toString('base64')}`

describeWithRedis('two workers that share a learning system', ({ url }) => {
  test('ingest, issue and deliver a completion once, although both endpoints and both polls report it', async () => {
    await using stack = new AsyncDisposableStack()
    const receiver = await openScriptedServer()
    stack.defer(() => receiver.close())
    const pendingResponses: (() => void)[] = []
    receiver.on('/hook', (_seen, response) => void pendingResponses.push(() => void response.writeHead(200).end()))
    const campus = stack.use(
      await openCampus({
        idle: true,
        redisUrl: url,
        writeBack: () => [
          { to: 'moodle-profile', system: 'campus', fields: profileFields },
          { to: 'webhook', url: `${receiver.url}/hook`, secret },
        ],
      }),
    )
    const { world, web, lms, course } = campus
    const appOptions = { clock: systemClock, log: silentLog, random: () => 0.5, tuning: world.app.tuning }
    const secondApp: App = stack.use(await openApp(world.settings, appOptions))
    const metrics = openMetrics({ version: '1', environment: 'development', storage: 'postgresql' }, ['spring'])
    const secondWeb = stack.use(await serveWeb(secondApp, metrics, { host: '127.0.0.1', port: 0 }))
    const withBothApps = <Result>(work: (app: App) => Promise<Result>) => Promise.all([world.app, secondApp].map(work))

    const ada = campus.enroll('ada')
    await lms.complete(ada, course)
    await world.app.ledger.learningSystems.register(['campus'])
    const body = JSON.stringify(completedHook(ada, course))
    const posted = await Promise.all(
      [web.url, secondWeb.url, web.url, secondWeb.url].map((webUrl) =>
        fetch(`${webUrl}/events/hooks`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      ),
    )
    expect(posted.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    await Promise.all([
      withBothApps((app) => processEvents(app, { system: 'hooks' })),
      withBothApps((app) => pollLms(app, { system: 'campus' })),
    ])
    const counts = async () => {
      const { rows } = await world.app.database.query(
        `SELECT (SELECT count(*) FROM inbound_event) AS deliveries, (SELECT count(*) FROM inbound_event WHERE state = 'new') AS unprocessed,
                (SELECT count(*) FROM completion) AS completions, (SELECT count(*) FROM run) AS runs`,
      )
      return rows[0]
    }
    expect(await counts()).toEqual({ deliveries: 1, unprocessed: 0, completions: 1, runs: 1 })

    const workers = await withBothApps((app) => startWorker(app, ['intake', 'issue', 'reconcile', 'sweep']))
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued'])
    await Promise.all(workers.map((worker) => worker?.stop()))
    const [run] = await world.app.ledger.runs.list()
    await withBothApps((app) => writeBack(app, { runId: run?.id ?? '' }))

    // The webhook responds only once each worker has either sent it an event or found nothing to deliver.
    let returnedCount = 0
    const deliveries = withBothApps((app) => deliver(app, { pipeline: 'spring' }).then(() => returnedCount++))
    await expect.poll(() => returnedCount + pendingResponses.length, completionWait).toBe(2)
    for (const answer of pendingResponses) answer()
    await deliveries
    const deliveryCounts = await world.app.ledger.deliveries.counts()
    expect(deliveryCounts.map(({ pending, verified }) => [pending, verified])).toEqual([
      [0, 1],
      [0, 1],
    ])
    expect(await campus.profileOf(ada)).toMatchObject({ credstatus: 'issued' })
    expect(world.sandbox.requests()).toHaveLength(1)
    expect(receiver.seen).toHaveLength(1)
    expect(lms.journal().filter(({ kind }) => kind === 'wrote')).toHaveLength(Object.keys(profileFields).length)
    expect(await counts()).toEqual({ deliveries: 1, unprocessed: 0, completions: 1, runs: 1 })
  })
})
