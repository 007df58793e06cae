// Corrections from end to end: the old credential is revoked and the right one issued, whatever dies in between.

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcile } from '#jobs/reconcile.ts'
import { tendRevocations } from '#jobs/revocations.ts'
import type { App } from '#src/app.ts'
import { audit } from './support/auditor.ts'
import { describeWithDatabase } from './support/database.ts'
import {
  atWork,
  calls,
  decision,
  find,
  issued,
  issueList,
  life,
  proposalFor,
  revokePath,
  targetOf,
  want,
} from './support/revoking.ts'
import { peopleCsv, type World } from './support/world.ts'

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
    ).toMatchObject({ standing: 'corrected already', sameData: false })

    // The next lists: the right data are known, and the old ones are changed, for a person to look at.
    const right = await issueList(world, 'right.csv', peopleCsv(3).replace('Ada1,Lovelace', 'Ada1,Byron'))
    const old = await issueList(world, 'old.csv', peopleCsv(3))
    expect((await world.app.ledger.findRun(right))?.lastList).toContain('list.csv')
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
