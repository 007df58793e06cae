// Corrections from end to end: the old credential is revoked and a correct one is issued, at whatever step the process
// crashes.

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcile } from '#jobs/reconcile.ts'
import { processRevocations } from '#jobs/revocations.ts'
import type { App } from '#src/app/app.ts'
import { audit } from '#test/support/auditor.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'
import {
  decision,
  explainIssuance,
  findRevocation,
  issueList,
  openIssuedWorld,
  proposalFor,
  requestRevocation,
  revokeCallCount,
  revokePath,
  runWorkerUntil,
  targetOf,
} from '#test/support/revocation-steps.ts'
import { peopleCsv, type World } from '#test/support/world.ts'

describeWithDatabase('a correction', () => {
  let world: World
  beforeAll(async () => {
    world = await openIssuedWorld(3)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('revokes the old credential, issues the new one, and links the two', async () => {
    const id = await requestRevocation(world, 1, 'Byron')
    const log = openRecordedLog()
    await processRevocations({ ...world.app, log }, [id])
    const newId = (await findRevocation(world, id)).correctedAs as number
    expect(log.fieldsOf('correction.made')).toEqual([{ revocation: id, issuance: newId }])
    await runWorkerUntil(
      world,
      async () =>
        (await explainIssuance(world, newId))?.state === 'issued' && (await findRevocation(world, id)).state === 'seen',
    )
    expect(await explainIssuance(world, 1)).toMatchObject({ state: 'revoked', correctedBy: newId })
    expect(await explainIssuance(world, newId)).toMatchObject({ corrects: 1, source: 'correction of i1' })
    expect(credentialsOf(world, 'person.1@example.org')).toEqual([
      { name: 'Lovelace', valid: false },
      { name: 'Byron', valid: true },
    ])
    expect(
      await world.app.ledger.revocations.request({
        ...(await targetOf(world, 1)),
        correction: await proposalFor(
          world,
          { ...(await targetOf(world, 1)), issuanceKey: (await targetOf(world, newId)).issuanceKey },
          'King',
        ),
        decision,
      }),
    ).toMatchObject({ status: 'corrected already', sameData: false })

    // In later lists, the corrected data count as known, and the old data as changed, for an operator to check.
    await issueList(world, 'right.csv', peopleCsv(3).replace('Ada1,Lovelace', 'Ada1,Byron'))
    const old = await issueList(world, 'old.csv', peopleCsv(3))
    const runs = await world.app.ledger.runs.list()
    expect(runs.map((run) => [run.sourceName, run.known, run.changed])).toEqual([
      ['old.csv', 2, 1],
      ['right.csv', 3, 0],
      ['correction of i1', 0, 0],
      ['list.csv', 0, 0],
    ])
    expect(await world.app.ledger.revocations.waitingChanges({ run: old })).toMatchObject([
      { issuanceId: newId, changedFields: ['Last Name'], row: 2 },
    ])
    await audit(world)
  })

  test('whose revocation is refused issues nothing until the credential is revoked elsewhere', async () => {
    world.wire.spoil(revokePath, { status: 400, body: '{"status":400,"message":"Not allowed"}' })
    const [id, before] = [await requestRevocation(world, 3, 'Byron'), world.sandbox.requests().length]
    await processRevocations(world.app, [id])
    await reconcile(world.app)
    expect(await findRevocation(world, id)).toMatchObject({ state: 'refused', correctedAs: null })
    expect(world.sandbox.requests()).toHaveLength(before)
    await expect(
      world.app.database.query('UPDATE issuance SET issuance_key = superseded_key(issuance_key, id)'),
    ).rejects.toThrow('keeps its key for ever')

    await world.app.issuer.revokeCredential((await targetOf(world, 3)).credentialId)
    await issueList(world, 'more.csv', peopleCsv(1, 4))
    await runWorkerUntil(world, async () => credentialsOf(world, 'person.3@example.org').at(-1)?.name === 'Byron')
    expect(credentialsOf(world, 'person.3@example.org')).toMatchObject([
      { name: 'Lovelace', valid: false },
      { name: 'Byron' },
    ])
  })

  test('that is interrupted between any two steps continues automatically, or waits for an operator if the report proves that nothing was revoked', async () => {
    const people = 44
    await using world = await openIssuedWorld(people)
    const reached = new Set<string>()
    let steps = 0
    for (let person = 1; person <= people; person++) {
      const id = await requestRevocation(world, person, 'Byron')
      const victim = crashingAt(world.app, person, reached)
      await processRevocations(victim.app, [id]).catch(() => {})
      if (!victim.hasCrashed()) break
      steps = person
    }
    // The process crashes before and after each call; a smaller number would mean that a step was missed.
    expect(steps).toBeGreaterThan(25)
    expect(steps).toBeLessThan(people - 1)
    expect([...(await verbsOfJob())].filter((verb) => !reached.has(verb))).toEqual([])
    // A worker that crashed after the claim counts as dead once its deadline has passed.
    await world.app.database.query(`UPDATE revocation SET deadline_at = clock_timestamp() WHERE state = 'sending'`)
    const { revocations } = world.app.ledger
    await runWorkerUntil(world, async () => {
      for (const each of await revocations.toDecide())
        if (each.state === 'not_applied') await requestRevocation(world, each.issuanceId as number)
      const credentials = Array.from({ length: steps }, (_, at) => credentialsOf(world, `person.${at + 1}@example.org`))
      const open = credentials.filter((pair) => !(pair.length === 2 && pair[1]?.valid)).length
      return open === 0 || `${open} of ${steps} are not corrected`
    })
    await runWorkerUntil(world, async () => (await revocations.open()).length === 0)
    for (let person = 1; person <= steps; person++)
      expect(credentialsOf(world, `person.${person}@example.org`)).toEqual([
        { name: 'Lovelace', valid: false },
        { name: 'Byron', valid: true },
      ])
    // Each of these people, and the one whose process did not crash, got exactly one call: a call that the service had
    // received was not repeated.
    expect(revokeCallCount(world)).toBe(steps + 1)
    await audit(world)
  })
})

/**
 * Returns the methods of the ledger's revocations that the job calls, taken from its source. `due` and `postpone` are
 * left out, because they are for unnamed or failed revocations.
 */
async function verbsOfJob(): Promise<Set<string>> {
  const files = ['../../../jobs/revocations.ts', '../../../src/issuing/reconcile/look-up-revocation.ts']
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, import.meta.url), 'utf8')))
  const verbs = texts.flatMap((text) =>
    [...text.matchAll(/ledger\.revocations\.(\w+)\(/g)].map((match) => match[1] ?? ''),
  )
  return new Set(verbs.filter((verb) => verb !== 'due' && verb !== 'postpone'))
}

/**
 * Returns the sandbox's credentials for an address, oldest first. Checks that the second was requested only after the
 * first was revoked, so that there were never two valid ones.
 */
function credentialsOf({ sandbox }: World, email: string) {
  const theirs = sandbox.requests().filter((request) => request.student.Email === email)
  const [first, second] = theirs
  if (second) expect(first?.revokedAt?.getTime() ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(second.at.getTime())
  return theirs.map((each) => ({
    name: each.student['Last Name'],
    valid: each.status === 3 && each.revokedAt === null,
  }))
}

/** Returns the app of a process that crashes at its n-th step: before or after a call of the ledger or the service. */
function crashingAt(app: App, nth: number, reached: Set<string>) {
  let step = 0
  let crashed = false
  const takeStep = (verb: string) => {
    reached.add(verb)
    step++
    crashed ||= step === nth
    if (crashed) throw new Error('This process has crashed.')
  }
  const crashable = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key)
        if (key === 'revocations') return crashable(member as object)
        if (typeof member !== 'function') return member
        return async (...args: unknown[]) => {
          takeStep(String(key))
          const result = await Reflect.apply(member, target, args)
          takeStep(String(key))
          return result
        }
      },
    })
  // A crashed process does not wait; a running one would try for twenty seconds to write its outcome.
  const clock: App['clock'] = {
    ...app.clock,
    sleep: (...args) => (crashed ? Promise.reject(new Error('This process has crashed.')) : app.clock.sleep(...args)),
  }
  return {
    app: { ...app, clock, ledger: crashable(app.ledger), issuer: crashable(app.issuer) },
    hasCrashed: () => crashed,
  }
}
