// Steps for tests of revocations and corrections: issue, request a change, read the state.

import { startWorker } from '#jobs/worker.ts'
import { openApp } from '#src/app/app.ts'
import { proposeCorrection } from '#src/issuing/intake/propose-correction.ts'
import type { Revocation } from '#src/ledger/revocations/revocation.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { until } from './until.ts'
import { openWorld, peopleCsv, type World, type WorldOptions } from './world.ts'

export const revokePath = '/certificate/revoke'
export const decision = { by: 'ada', why: 'a slip of the pen' }

/** Opens a world in which the people of one list have credentials. */
export async function openIssuedWorld(people: number, options: WorldOptions = {}): Promise<World> {
  const world = await openWorld({ reconcile: { grace: '600ms' }, ...options })
  await issueList(world, 'list.csv', peopleCsv(people))
  return world
}

export async function issueList(world: World, name: string, text: string): Promise<string> {
  const run = await world.receive(name, text)
  await runWorkerUntil(world, async () => {
    const now = await world.app.ledger.runs.withStates(run)
    return now?.run.settledAt !== null && now?.run.state === 'published'
  })
  return run
}

/**
 * Runs a worker with an app of its own until `isReached` returns true, because a worker that stops aborts all calls of
 * its app permanently.
 */
export async function runWorkerUntil(world: World, isReached: () => Promise<boolean | string>): Promise<void> {
  const { settings, app: own } = world
  await using app = await openApp(settings, {
    clock: systemClock,
    log: silentLog,
    random: () => 0.5,
    tuning: own.tuning,
  })
  await using _worker = await startWorker(app)
  await until('the worker', isReached)
}

export async function targetOf({ app }: World, id: number) {
  const [target] = await app.ledger.revocations.targets({ issuances: [id], credentials: [] })
  if (!target?.credentialId || !target.recipient) throw new Error(`i${id} has no credential.`)
  return { ...target, credentialId: target.credentialId, recipient: target.recipient }
}

/** Requests a revocation, or with `lastName` a correction. Returns its id. */
export async function requestRevocation(world: World, id: number, lastName?: string): Promise<number> {
  const target = await targetOf(world, id)
  const correction = lastName ? await proposalFor(world, target, lastName) : null
  const { credentialId, issuanceId } = target
  return (await world.app.ledger.revocations.request({ credentialId, issuanceId, correction, decision })).id
}

export async function proposalFor({ app }: World, target: Awaited<ReturnType<typeof targetOf>>, lastName: string) {
  const fields = await app.issuer.fieldList(target.courseUuid)
  const tools = { pipeline: app.pipelines.named('spring'), fields, hasher: app.ledger.hasher }
  return proposeCorrection(target, { 'Last Name': lastName }, tools)
}

export const findRevocation = async ({ app }: World, id: number) =>
  (await app.ledger.revocations.find(id)) as Revocation
export const revokeCallCount = (world: World) => world.wire.seen.filter((path) => path.includes(revokePath)).length
export const explainIssuance = async ({ app }: World, id: number) => (await app.ledger.issuances.explain({ id }))[0]

export async function isRevokedInReport({ app }: World, credentialId: string): Promise<boolean> {
  const { items } = await app.issuer.reportPage({ search: { credential_id: credentialId }, recordsPerPage: 10 })
  return items.some((item) => Boolean(item.revoked_date))
}

export async function areResultsWritten({ app }: World, source: string): Promise<boolean> {
  const run = (await app.ledger.runs.list()).find((each) => each.sourceName === source)
  return (await app.ledger.writeBacks.wantedVersion(run?.id ?? '')) === null
}
