// Revocations and corrections against the sandbox on the wire. The judge is the sandbox's own book: what was revoked, when, and who holds a
// valid credential.

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcile } from '#jobs/reconcile.ts'
import { tendRevocations } from '#jobs/revocations.ts'
import { startWorker } from '#jobs/worker.ts'
import { type App, openApp } from '#src/app.ts'
import { proposeCorrection } from '#src/intake/propose-correction.ts'
import type { Revocation } from '#src/ledger/revocation.ts'
import { silentLog } from '#src/log/log.ts'
import { invitationOf } from '#src/pipelines/invitation-of.ts'
import { systemClock } from '#src/time/clock.ts'
import { audit } from './support/auditor.ts'
import { describeWithDatabase } from './support/database.ts'
import { until } from './support/until.ts'
import { openWorld, peopleCsv, type World, type WorldOptions } from './support/world.ts'

const revokePath = '/certificate/revoke'
const decision = { by: 'ada', why: 'a slip of the pen' }

async function issued(people: number, options: WorldOptions = {}): Promise<World> {
  const world = await openWorld({ reconcile: { grace: '600ms' }, ...options })
  await issueList(world, 'list.csv', peopleCsv(people))
  return world
}

async function issueList(world: World, name: string, text: string): Promise<string> {
  const run = await world.receive(name, text)
  await atWork(world, async () => {
    const now = await world.app.ledger.runWithStates(run)
    return now?.run.settledAt !== null && now?.run.state === 'published'
  })
  return run
}

/** Another process of the same ledger: a worker that stops ends its app's calls for good. */
async function atWork(world: World, seen: () => Promise<boolean | string>): Promise<void> {
  const { settings, app: own } = world
  await using app = await openApp(settings, {
    clock: systemClock,
    log: silentLog,
    random: () => 0.5,
    tuning: own.tuning,
  })
  await using _worker = await startWorker(app)
  await until('the worker', seen, { ms: 40_000 })
}

async function targetOf({ app }: World, id: number) {
  const [target] = await app.ledger.revocations.targets({ issuances: [id], credentials: [] })
  if (!target?.credentialId || !target.recipient) throw new Error(`i${id} has no credential.`)
  return { ...target, credentialId: target.credentialId, recipient: target.recipient }
}

async function want(world: World, id: number, lastName?: string): Promise<number> {
  const target = await targetOf(world, id)
  const correction = lastName ? await proposalFor(world, target, lastName) : null
  const { credentialId, issuanceId } = target
  return (await world.app.ledger.revocations.want({ credentialId, issuanceId, correction, decision })).id
}

async function proposalFor({ app }: World, target: Awaited<ReturnType<typeof targetOf>>, lastName: string) {
  const fields = await app.issuer.fieldList(target.courseUuid)
  const tools = { pipeline: app.pipelines.named('spring'), fields, hasher: app.ledger.hasher }
  return proposeCorrection(target, { 'Last Name': lastName }, tools)
}

const find = async ({ app }: World, id: number) => (await app.ledger.revocations.find(id)) as Revocation
const calls = (world: World) => world.wire.seen.filter((path) => path.includes(revokePath)).length
const life = async ({ app }: World, id: number) => (await app.ledger.explain({ id }))[0]

describeWithDatabase('a revocation', () => {
  let world: World
  // One credential or two for each test.
  beforeAll(async () => {
    world = await issued(9)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('is called once, seen in the report, told to the source, and kept with who and why', async () => {
    const id = await want(world, 2)
    await tendRevocations(world.app, [id])
    await atWork(world, async () => (await find(world, id)).state === 'seen' && (await told(world, 'list.csv')))
    expect((await life(world, 2))?.state).toBe('revoked')
    const history = (await life(world, 2))?.history.filter((line) => line.event.startsWith('revocation'))
    expect(history?.map((line) => line.event)).toEqual([
      'revocation wanted',
      'revocation sending',
      'revocation accepted',
      'revocation seen',
    ])
    expect(history?.[0]?.evidence).toMatchObject(decision)
    expect(calls(world)).toBe(1)
    const run = (await world.app.ledger.listRuns())[0]
    expect(await readFile(run?.resultsPath ?? '', 'utf8')).toMatch(/person\.2@.*,revoked,\d/)
    expect(world.sandbox.requests().map((each) => each.revokedAt !== null)).toEqual(
      Array.from({ length: 9 }, (_, at) => at === 1),
    )
    await audit(world)
  })

  test('of unknown outcome that was applied is found by the report, and not sent again', async () => {
    world.wire.spoil(revokePath, 'lose-answer')
    const before = calls(world)
    const id = await want(world, 3)
    await tendRevocations(world.app, [id])
    await atWork(world, async () => (await find(world, id)).state === 'seen')
    expect(calls(world) - before).toBe(1)
    expect((await life(world, 3))?.state).toBe('revoked')
  })

  test('of unknown outcome that never arrived waits for a person, who may say it again', async () => {
    world.wire.spoil(revokePath, 'lose-request')
    const before = calls(world)
    const id = await want(world, 4)
    await tendRevocations(world.app, [id])
    expect((await find(world, id)).state).toBe('unconfirmed')
    await atWork(world, async () => (await find(world, id)).state === 'not_applied')
    expect(await world.app.ledger.revocations.toDecide()).toMatchObject([
      { issuanceId: 4, state: 'not_applied', by: 'ada' },
    ])
    expect(calls(world) - before).toBe(1)

    const again = await want(world, 4)
    expect(again).not.toBe(id)
    await tendRevocations(world.app, [again])
    await atWork(world, async () => (await find(world, again)).state === 'seen')
    expect(await world.app.ledger.revocations.toDecide()).toEqual([])
  })

  test('that the service refuses because somebody was faster counts as seen, and one that it refuses is shown', async () => {
    const { credentialId } = await targetOf(world, 5)
    expect((await world.app.issuer.revokeCredential(credentialId)).class).toBe('accepted')
    await until('the report', async () => (await shownRevoked(world, credentialId)) === true)
    const faster = await want(world, 5)
    const refused = await want(world, 6)
    await tendRevocations(world.app, [faster])
    world.wire.spoil(revokePath, { status: 400, body: '{"status":400,"message":"Not allowed"}' })
    await tendRevocations(world.app, [refused])
    expect((await find(world, faster)).state).toBe('seen')
    expect((await life(world, 5))?.state).toBe('revoked')
    expect(await find(world, refused)).toMatchObject({
      state: 'refused',
      words: expect.stringContaining('Not allowed'),
    })
    expect(await world.app.ledger.revocations.toDecide()).toMatchObject([{ issuanceId: 6, state: 'refused' }])
  })

  test('that the service could not be told stays wanted, and is one however often it is asked for', async () => {
    world.wire.spoil(revokePath, { status: 429, body: '{}' })
    const id = await want(world, 7)
    expect(await want(world, 7)).toBe(id)
    await tendRevocations(world.app, [id])
    expect((await find(world, id)).state).toBe('wanted')
    await atWork(world, async () => (await find(world, id)).state === 'seen')
  })

  test('of a credential that the ledger does not know is called and seen all the same', async () => {
    const { issuer, pipelines, ledger } = world.app
    const pipeline = pipelines.named('spring')
    const stranger = {
      Email: 'stranger@example.org',
      'First Name': 'Grace',
      'Last Name': 'Hopper',
      'Primary Value': 'Email',
    }
    await issuer.invite(issuer.prepareInvitation(invitationOf(pipeline, pipeline.course ?? '', [stranger])), {
      deadlineMs: 10_000,
    })
    const book = () => world.sandbox.requests().find((each) => each.student.Email === stranger.Email)
    await until('the stranger', () => Boolean(book()?.credentialId))
    const credentialId = book()?.credentialId ?? ''
    const { id } = await ledger.revocations.want({ credentialId, issuanceId: null, correction: null, decision })
    await tendRevocations(world.app, [id])
    await atWork(world, async () => (await find(world, id)).state === 'seen')
    expect(book()?.revokedAt).not.toBeNull()
    expect(calls(world)).toBeGreaterThan(0)
  })

  test('made elsewhere is seen by a reading of the report', async () => {
    const { credentialId } = await targetOf(world, 8)
    await world.app.issuer.revokeCredential(credentialId)
    await until('the report', async () => (await shownRevoked(world, credentialId)) === true)
    await issueList(world, 'more.csv', peopleCsv(1, 10))
    expect((await life(world, 8))?.state).toBe('revoked')
  })
})

describeWithDatabase('a correction', () => {
  let world: World
  beforeAll(async () => {
    world = await issued(3)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('revokes the old credential, issues the new one, and links the two', async () => {
    const id = await want(world, 1, 'Byron')
    await tendRevocations(world.app, [id])
    const by = (await find(world, id)).correctedAs as number
    await atWork(
      world,
      async () => (await life(world, by))?.state === 'issued' && (await find(world, id)).state === 'seen',
    )
    expect(await life(world, 1)).toMatchObject({ state: 'revoked', correctedBy: by })
    expect(await life(world, by)).toMatchObject({ corrects: 1, source: 'correction of i1' })
    expect(heldBy(world, 'person.1@example.org')).toEqual([
      { name: 'Lovelace', valid: false },
      { name: 'Byron', valid: true },
    ])
    expect(
      await world.app.ledger.revocations.want({
        ...(await targetOf(world, 1)),
        correction: await proposalFor(
          world,
          { ...(await targetOf(world, 1)), issuanceKey: (await targetOf(world, by)).issuanceKey },
          'King',
        ),
        decision,
      }),
    ).toMatchObject({ standing: 'corrected already' })

    // The next lists: the right data are known, and the old ones are changed, for a person to look at.
    await issueList(world, 'right.csv', peopleCsv(3).replace('Ada1,Lovelace', 'Ada1,Byron'))
    const old = await issueList(world, 'old.csv', peopleCsv(3))
    const runs = await world.app.ledger.listRuns()
    expect(runs.map((run) => [run.sourceName, run.known, run.changed, run.gone])).toEqual([
      ['old.csv', 2, 1, 0],
      ['right.csv', 3, 0, 0],
      ['correction of i1', 0, 0, 0],
      ['list.csv', 0, 0, 0],
    ])
    expect(await world.app.ledger.revocations.changesWaiting({ run: old })).toMatchObject([
      { issuanceId: by, changedFields: ['Last Name'], row: 2 },
    ])
    await audit(world)
  })

  test('whose revocation is refused issues nothing, until somebody revokes the credential elsewhere', async () => {
    world.wire.spoil(revokePath, { status: 400, body: '{"status":400,"message":"Not allowed"}' })
    const [id, before] = [await want(world, 3, 'Byron'), world.sandbox.requests().length]
    await tendRevocations(world.app, [id])
    await reconcile(world.app)
    expect(await find(world, id)).toMatchObject({ state: 'refused', correctedAs: null })
    expect(world.sandbox.requests()).toHaveLength(before)
    await expect(
      world.app.database.query('UPDATE issuance SET issuance_key = superseded_key(issuance_key, id)'),
    ).rejects.toThrow('keeps its key for ever')

    await world.app.issuer.revokeCredential((await targetOf(world, 3)).credentialId)
    await issueList(world, 'more.csv', peopleCsv(1, 4))
    await atWork(world, async () => heldBy(world, 'person.3@example.org').at(-1)?.name === 'Byron')
    expect(heldBy(world, 'person.3@example.org')).toMatchObject([{ name: 'Lovelace', valid: false }, { name: 'Byron' }])
  })

  test('killed between any two of its steps goes on by itself, or waits for a person where the report proves that nothing was revoked', async () => {
    const people = 44
    await using world = await issued(people)
    const reached = new Set<string>()
    let steps = 0
    for (let person = 1; person <= people; person++) {
      const id = await want(world, person, 'Byron')
      const victim = dyingAt(world.app, person, reached)
      await tendRevocations(victim.app, [id]).catch(() => {})
      if (!victim.died()) break
      steps = person
    }
    // Before and after each call; fewer would mean that the story is shorter than it was, or that this test is too short for it.
    expect(steps).toBeGreaterThan(25)
    expect(steps).toBeLessThan(people - 1)
    expect([...(await verbsOfTheStory())].filter((verb) => !reached.has(verb))).toEqual([])
    // A worker that died behind the door is dead when its deadline has passed.
    await world.app.database.query(`UPDATE revocation SET deadline_at = clock_timestamp() WHERE state = 'sending'`)
    const { revocations } = world.app.ledger
    await atWork(world, async () => {
      for (const each of await revocations.toDecide())
        if (each.state === 'not_applied') await want(world, each.issuanceId as number)
      const names = Array.from({ length: steps }, (_, at) => heldBy(world, `person.${at + 1}@example.org`))
      const open = names.filter((of) => !(of.length === 2 && of[1]?.valid)).length
      return open === 0 || `${open} of ${steps} are not corrected`
    })
    await atWork(world, async () => (await revocations.open()).length === 0)
    for (let person = 1; person <= steps; person++)
      expect(heldBy(world, `person.${person}@example.org`)).toEqual([
        { name: 'Lovelace', valid: false },
        { name: 'Byron', valid: true },
      ])
    // Where the service had heard of it nobody said it again, and the one who did not die said it once.
    expect(calls(world)).toBe(steps + 1)
    await audit(world)
  })
})

async function shownRevoked({ app }: World, credentialId: string): Promise<boolean> {
  const { items } = await app.issuer.reportPage({
    search: { credential_id: credentialId },
    spelling: 'both',
    recordsPerPage: 10,
  })
  return items.some((item) => Boolean(item.revoked_date))
}

async function told({ app }: World, source: string): Promise<boolean> {
  const run = (await app.ledger.listRuns()).find((each) => each.sourceName === source)
  return (await app.ledger.wantedVersion(run?.id ?? '')) === null
}

/** What the story does with revocations in the ledger, by its text; `due` and `postpone` are for those that nobody names, or that fail. */
async function verbsOfTheStory(): Promise<Set<string>> {
  const files = ['../jobs/revocations.ts', '../src/reconcile/look-for-revocation.ts']
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, import.meta.url), 'utf8')))
  const verbs = texts.flatMap((text) =>
    [...text.matchAll(/ledger\.revocations\.(\w+)\(/g)].map((match) => match[1] ?? ''),
  )
  return new Set(verbs.filter((verb) => verb !== 'due' && verb !== 'postpone'))
}

/** What the sandbox holds for an address, oldest first. Never two valid ones: the second was asked for when the first was revoked. */
function heldBy({ sandbox }: World, email: string) {
  const theirs = sandbox.requests().filter((each) => each.student.Email === email)
  const [first, second] = theirs
  if (second) expect(first?.revokedAt?.getTime() ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(second.at.getTime())
  return theirs.map((each) => ({
    name: each.student['Last Name'],
    valid: each.status === 3 && each.revokedAt === null,
  }))
}

/** The app with a process that dies at its n-th step: before a call of the ledger or the service, or after it. */
function dyingAt(app: App, nth: number, reached: Set<string>) {
  let step = 0
  let dead = false
  const live = (verb: string) => {
    reached.add(verb)
    step++
    dead ||= step === nth
    if (dead) throw new Error('This process is dead.')
  }
  const mortal = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(of, key) {
        const member: unknown = Reflect.get(of, key)
        if (key === 'revocations') return mortal(member as object)
        if (typeof member !== 'function') return member
        return async (...args: unknown[]) => {
          live(String(key))
          const result = await Reflect.apply(member, of, args)
          live(String(key))
          return result
        }
      },
    })
  return { app: { ...app, ledger: mortal(app.ledger), issuer: mortal(app.issuer) }, died: () => dead }
}
