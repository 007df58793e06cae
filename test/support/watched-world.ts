// A world with credentials that were issued on many days. To simulate days, it moves the times in the ledger back and
// the date of the service forward.

import { readReportOnce } from '#jobs/reconcile.ts'
import { watch } from '#jobs/watch-issued.ts'
import type { Faults } from '#sandboxes/service/faults/faults.ts'
import { buildInvitation } from '#src/issuing/pipelines/build-invitation.ts'
import { afterSending } from '#src/issuing/reconcile/decide-after-sending.ts'
import { recipients } from './domain-objects.ts'
import { prepareOne } from './prepare-one.ts'
import { publish, timePasses } from './test-ledger.ts'
import { openWorld, type World } from './world.ts'

const dayMs = 86_400_000
const reportPath = '/student/report'

export interface WatchedWorld extends World {
  /** Simulates one day and runs one round of the watch. Returns the number of requests for the report. */
  simulateDay(): Promise<number>
  /** Revokes a person's credential in the portal, on the service's current date. Returns the credential's id. */
  revoke(person: number): Promise<string>
  /** Returns the state of each person's issuance, in order. */
  states(): Promise<string[]>
  watchStatus(): Promise<{ way: string | null; missing: number; issued: number | null; lookedSince: Date | null }>
}

export interface WatchedOptions {
  days: number
  perDay: number
  faults?: Faults
  watchWithin?: string
  pageSize?: number
}

/** Opens a world with `perDay` credentials for each of `days`. Person n has the n-th of them, oldest first. */
export async function openWatchedWorld(options: WatchedOptions): Promise<WatchedWorld> {
  const { days, perDay, watchWithin = '10d', pageSize = 25 } = options
  const world = await openWorld({
    sandbox: { pace: { queueMs: 0, progressMs: 0 }, reportLagMs: 0 },
    reconcile: { watchWithin, pageSize },
  })
  const { app, sandbox, wire } = world
  for (let day = 0; day < days; day++) {
    sandbox.injectFaults({ clockOffMs: (day - days + 1) * dayMs })
    await issueToPeople(world, perDay, 1 + day * perDay)
    if (day < days - 1) await timePasses(app.database, dayMs)
  }
  await readReportOnce(app, 'deep')
  await app.ledger.watching.begin(new Date(app.clock.now().getTime() + dayMs))
  let simulatedDays = 0
  sandbox.injectFaults({ ...options.faults, clockOffMs: 0 })
  return {
    ...world,
    async simulateDay() {
      simulatedDays++
      sandbox.injectFaults({ clockOffMs: simulatedDays * dayMs })
      await timePasses(app.database, dayMs)
      const before = reportRequests(wire.seen)
      await watch(app)
      return reportRequests(wire.seen) - before
    },
    async revoke(person) {
      const request = sandbox.requests()[person - 1]
      const outcome = await app.issuer.revokeCredential(request?.credentialId ?? '')
      if (outcome.class !== 'accepted') throw new Error(`The portal did not revoke the credential: ${outcome.words}`)
      return request?.credentialId ?? ''
    },
    async states() {
      const { rows } = await app.database.query<{ state: string }>('SELECT state FROM issuance ORDER BY id')
      return rows.map(({ state }) => state)
    },
    async watchStatus() {
      const [status] = await app.ledger.watching.shown()
      if (!status) throw new Error('No credential is watched.')
      return status
    },
  }
}

async function issueToPeople({ app, sandbox }: World, count: number, from: number): Promise<void> {
  const { ledger, issuer, pipelines } = app
  const course = sandbox.courses[0]?.uuid ?? ''
  const people = recipients(count, from)
  await publish(ledger, people, { course, name: `list-${from}.csv` })
  const attemptId = (await prepareOne(ledger, 'spring', count)) ?? 0
  const claim = await ledger.attempts.claim({
    attemptId,
    instance: app.instance,
    requestSha256: 'sha',
    deadlineMs: 90_000,
  })
  const invitation = issuer.prepareInvitation(buildInvitation(pipelines.named('spring'), course, people))
  const outcome = await issuer.invite(invitation, { deadlineMs: 30_000 })
  if (!claim) throw new Error('The claim was refused.')
  await ledger.attempts.end({ attemptId, claim }, outcome, afterSending(outcome, count))
}

function reportRequests(seen: readonly string[]): number {
  return seen.filter((path) => path.includes(reportPath)).length
}
