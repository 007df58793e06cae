// People decide in the console while the workers that serve it are killed, often in the middle of a decision. Everyone gets
// exactly one credential all the same, and each decision is carried out and logged once.

import { expect, test } from 'vitest'
import { systemClock } from '#src/platform/time/clock.ts'
import { untilAllIssued } from '#test/guarantees/stores/until-all-issued.ts'
import { audit, auditCounts } from '#test/support/auditor.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { type Dice, openDice } from '#test/support/seeded-random.ts'
import { isQuick, seeds, sized, tally } from '#test/support/suite-size.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, timesIssued, type World, type WorldOptions } from '#test/support/world.ts'
import { personName, startDeciding } from './deciding-person.ts'
import { openWorkerProcesses, type WorkerProcess } from './worker-processes.ts'

const people = 300
const held = 24
const failed = 6
const braked = { lists: 12, people: 6 }
const workers = 3
const kills = 8
const limits = { general: 30, auth: 3 }

const optionsFor = (redisUrl: string | null): WorldOptions & { file: Record<string, unknown> } => ({
  sandbox: { limits },
  pipeline: { batch: { size: 5 } },
  morePipelines: (first) => ({ autumn: { ...first, brake: { rows: braked.people - 1 } } }),
  reconcile: { every: '1s', slowest: '5s' },
  ...(redisUrl !== null && { redisUrl }),
  file: { service: { environment: 'development', limits: { ...limits, margin: '50ms' } }, console: { port: 0 } },
})

const namesOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${prefix}.${at}@example.org,Ada,${prefix}\n`).join('')

/** Workers of which one is killed whenever it has just got a decision, and is followed by another one. */
async function openMortals(world: World, options: ReturnType<typeof optionsFor>, dice: Dice) {
  const processes = await openWorkerProcesses(world, options)
  const alive = new Set<WorkerProcess>(await Promise.all(Array.from({ length: workers }, () => processes.start())))
  let killed = 0
  let replacing: Promise<void> | null = null
  return {
    ports: () => [...alive].flatMap((worker) => worker.consolePort() ?? []),
    killed: () => killed,
    killSoon(port: number): void {
      const worker = [...alive].find((each) => each.consolePort() === port)
      if (!worker || replacing || killed >= kills || dice.chance(0.3)) return
      const afterMs = dice.between(0, 25)
      replacing = (async () => {
        await systemClock.sleep(afterMs)
        alive.delete(worker)
        killed++
        await worker.kill('SIGKILL')
        alive.add(await processes.start())
        replacing = null
      })()
      replacing.catch(() => {})
    },
    async [Symbol.asyncDispose]() {
      await replacing
      await processes[Symbol.asyncDispose]()
    },
  }
}

/** How often each decision of the person is in the log, by what it is about. */
async function loggedDecisions({ app }: World): Promise<Map<string, number>> {
  const acts = await app.ledger.consoleActs.page({ before: null, limit: 100_000 })
  const times = new Map<string, number>()
  for (const { by, act, run, issuance, why } of acts) {
    if (by !== personName || why !== 'looked it up') continue
    const what = `${act} ${issuance ?? run}`
    times.set(what, (times.get(what) ?? 0) + 1)
  }
  return times
}

describeWithDatabase('decisions in the console', () => {
  describeWithRedis('of several workers', ({ url }) => {
    test.skipIf(isQuick).each(seeds(sized(1, 20)))(
      'are carried out once each while workers are killed (seed %i)',
      async (seed) => {
        const dice = openDice(seed)
        const options = optionsFor(url)
        await using world = await openWorld(options)
        const { ledger } = world.app
        const list = await world.receive(
          'list.csv',
          peopleCsv(people) + namesOf('hold', held) + namesOf('fail', failed),
        )
        const waiting = []
        for (let at = 0; at < braked.lists; at++)
          waiting.push(await world.receive(`${at}.csv`, peopleCsv(braked.people, 1_000 + at * braked.people), 'autumn'))
        await using mortals = await openMortals(world, options, dice)
        const person = await startDeciding(world, {
          ...{ ports: mortals.ports, dice, onDecision: mortals.killSoon, retry: { run: list, rows: failed } },
        })

        const total = people + held + failed + braked.lists * braked.people
        // If nothing goes on, a worker was killed before it sent the last of all rows: they can only be decided about once
        // something later is in the report, as the next day's list would be.
        let [later, seenBefore, sinceMs] = [0, -1, systemClock.monotonicMs()]
        await until('the person to decide everything', async () => {
          const seen = (await loggedDecisions(world)).size
          if (seen === held + failed + braked.lists) return true
          if (seen !== seenBefore) [seenBefore, sinceMs] = [seen, systemClock.monotonicMs()]
          if (systemClock.monotonicMs() - sinceMs > 5_000) {
            await world.receive(`next-${later}.csv`, peopleCsv(2, 60_000 + later * 2))
            later++
            sinceMs = systemClock.monotonicMs()
          }
          return `${seen} decisions`
        })
        const all = await untilAllIssued(world, total + later * 2, { failed })
        await person.stop()

        const log = await loggedDecisions(world)
        expect([...log].filter(([, times]) => times !== 1)).toEqual([])
        const kindsOf = [...log.keys()].map((what) => what.replace(/ \S+$/, ''))
        expect(Object.groupBy(kindsOf, (kind) => kind)).toMatchObject({
          'approved a run': { length: braked.lists },
          'a person decided: sent': { length: held },
          'a person decided: send again': { length: failed },
        })
        for (const run of waiting) expect((await ledger.runs.find(run))?.approval?.by).toBe(personName)
        const times = [...timesIssued(world.sandbox)]
        const isFailed = ([email]: [string, number]) => email.startsWith('fail.')
        expect(times.filter((each) => each[1] !== (isFailed(each) ? 2 : 1))).toEqual([])
        expect(times).toHaveLength(all)
        await audit(world)
        const { twice, lost } = await auditCounts(world)
        const { pages, decisions, unanswered, refused } = person.counts
        tally('decisions in the console', {
          ...{ people: all, kills: mortals.killed(), 'pages and forms': pages, 'decisions logged once': log.size },
          ...{ 'of them answered': decisions, 'requests without an answer': unanswered, 'pressed too late': refused },
          ...{ 'issued twice': twice, lost },
        })
        expect(mortals.killed()).toBeGreaterThanOrEqual(kills / 2)
      },
    )
  })
})
