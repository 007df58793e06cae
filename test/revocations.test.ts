// Revocations against the sandbox on the wire. The judge is the sandbox's own book: what was revoked, when, and who holds a valid credential.

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tendRevocations } from '#jobs/revocations.ts'
import { invitationOf } from '#src/pipelines/invitation-of.ts'
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
  revokePath,
  shownRevoked,
  targetOf,
  told,
  want,
} from './support/revoking.ts'
import { until } from './support/until.ts'
import { peopleCsv, type World } from './support/world.ts'

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
