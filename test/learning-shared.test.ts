// Two workers with one Redis and one learning system: whatever reaches both at once is heard, issued and told once.

import { expect, test } from 'vitest'
import { askSystem } from '#jobs/ask-system.ts'
import { judge } from '#jobs/judge.ts'
import { tell } from '#jobs/tell.ts'
import { startWorker } from '#jobs/worker.ts'
import { writeBack } from '#jobs/write-back.ts'
import { type App, openApp } from '#src/app.ts'
import { silentLog } from '#src/log/log.ts'
import { systemClock } from '#src/time/clock.ts'
import { openMetrics } from '#src/web/open-metrics.ts'
import { serveWeb } from '#src/web/serve-web.ts'
import { completedHook, openCampus, profileFields, soon } from './support/campus.ts'
import { describeWithRedis } from './support/redis.ts'
import { openScriptedServer } from './support/scripted-server.ts'

const secret = `whsec_${Buffer.from('a key that only two of us know, ever').toString('base64')}`

describeWithRedis('two workers that share a learning system', ({ url }) => {
  test('hear, issue and tell a completion once, though both doors and both polls bring it', async () => {
    await using closing = new AsyncDisposableStack()
    const ours = await openScriptedServer()
    closing.defer(() => ours.close())
    const held: (() => void)[] = []
    ours.on('/hear', (_seen, response) => void held.push(() => void response.writeHead(200).end()))
    const campus = closing.use(
      await openCampus({
        idle: true,
        redisUrl: url,
        writeBack: () => [
          { to: 'moodle-profile', system: 'campus', fields: profileFields },
          { to: 'webhook', url: `${ours.url}/hear`, secret },
        ],
      }),
    )
    const { world, web, lms, course } = campus
    const around = { clock: systemClock, log: silentLog, random: () => 0.5, tuning: world.app.tuning }
    const other: App = closing.use(await openApp(world.settings, around))
    const metrics = openMetrics({ version: '1', environment: 'development', storage: 'postgresql' }, ['spring'])
    const otherDoor = closing.use(await serveWeb(other, metrics, { host: '127.0.0.1', port: 0 }))
    const both = <Result>(work: (app: App) => Promise<Result>) => Promise.all([world.app, other].map(work))

    const ada = campus.enrol('ada')
    await lms.complete(ada, course)
    await world.app.ledger.learningSystems.watch(['campus'])
    const body = JSON.stringify(completedHook(ada, course))
    const posted = await Promise.all(
      [web.url, otherDoor.url, web.url, otherDoor.url].map((door) =>
        fetch(`${door}/events/hooks`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      ),
    )
    expect(posted.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    await Promise.all([
      both((app) => judge(app, { system: 'hooks' })),
      both((app) => askSystem(app, { system: 'campus' })),
    ])
    const counts = async () => {
      const { rows } = await world.app.database.query(
        `SELECT (SELECT count(*) FROM delivery) AS deliveries, (SELECT count(*) FROM delivery WHERE state = 'new') AS unjudged,
                (SELECT count(*) FROM completion) AS completions, (SELECT count(*) FROM run) AS runs`,
      )
      return rows[0]
    }
    expect(await counts()).toEqual({ deliveries: 1, unjudged: 0, completions: 1, runs: 1 })

    const workers = await both((app) => startWorker(app, ['intake', 'issue', 'reconcile', 'sweep']))
    await expect.poll(() => campus.states(), soon).toEqual(['issued'])
    await Promise.all(workers.map((worker) => worker?.stop()))
    const [run] = await world.app.ledger.listRuns()
    await both((app) => writeBack(app, { runId: run?.id ?? '' }))

    // Our address answers when one teller has nothing to do, or both have told.
    let returned = 0
    const telling = both((app) => tell(app, { pipeline: 'spring' }).then(() => returned++))
    await expect.poll(() => returned + held.length, soon).toBe(2)
    for (const answer of held) answer()
    await telling
    const told = await world.app.ledger.tells.standing()
    expect(told.map(({ pending, verified }) => [pending, verified])).toEqual([
      [0, 1],
      [0, 1],
    ])
    expect(await campus.profileOf(ada)).toMatchObject({ credstatus: 'issued' })
    expect(world.sandbox.requests()).toHaveLength(1)
    expect(ours.seen).toHaveLength(1)
    expect(lms.journal().filter(({ kind }) => kind === 'wrote')).toHaveLength(Object.keys(profileFields).length)
    expect(await counts()).toEqual({ deliveries: 1, unjudged: 0, completions: 1, runs: 1 })
  })
})
