// Revocations against the sandbox over HTTP. Results are checked in the sandbox's records: what was revoked, when, and
// who has a valid credential.

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { processRevocations } from '#jobs/revocations.ts'
import { buildInvitation } from '#src/issuing/pipelines/build-invitation.ts'
import { audit } from '#test/support/auditor.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'
import {
  areResultsWritten,
  decision,
  explainIssuance,
  findRevocation,
  isRevokedInReport,
  issueList,
  openIssuedWorld,
  requestRevocation,
  revokeCallCount,
  revokePath,
  runWorkerUntil,
  targetOf,
} from '#test/support/revocation-steps.ts'
import { until } from '#test/support/until.ts'
import { peopleCsv, type World } from '#test/support/world.ts'

describeWithDatabase('a revocation', () => {
  let world: World
  // Each test uses one or two of these credentials.
  beforeAll(async () => {
    world = await openIssuedWorld(9)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('is sent once, seen in the report, reported to the source, and stored with the operator and the reason', async () => {
    const id = await requestRevocation(world, 2)
    const log = openRecordedLog()
    await processRevocations({ ...world.app, log }, [id])
    expect(log.lines.map(([name]) => name)).toEqual(['revocation.sent', 'revocation.looked'])
    expect(log.fieldsOf('revocation.sent')).toEqual([{ revocation: id, outcome: 'accepted', status: 200, code: null }])
    expect(log.fieldsOf('revocation.looked')).toMatchObject([{ revocation: id }])
    await runWorkerUntil(
      world,
      async () => (await findRevocation(world, id)).state === 'seen' && (await areResultsWritten(world, 'list.csv')),
    )
    expect((await explainIssuance(world, 2))?.state).toBe('revoked')
    const history = (await explainIssuance(world, 2))?.history.filter((line) => line.event.startsWith('revocation'))
    expect(history?.map((line) => line.event)).toEqual([
      'revocation wanted',
      'revocation sending',
      'revocation accepted',
      'revocation seen',
    ])
    expect(history?.[0]?.evidence).toMatchObject(decision)
    expect(revokeCallCount(world)).toBe(1)
    const run = (await world.app.ledger.runs.list())[0]
    expect(await readFile(run?.resultsPath ?? '', 'utf8')).toMatch(/person\.2@.*,revoked,\d/)
    expect(world.sandbox.requests().map((request) => request.revokedAt !== null)).toEqual(
      Array.from({ length: 9 }, (_, at) => at === 1),
    )
    await audit(world)
  })

  test('with an unknown outcome that was applied is found in the report and not sent again', async () => {
    world.wire.spoil(revokePath, 'lose-answer')
    const before = revokeCallCount(world)
    const id = await requestRevocation(world, 3)
    await processRevocations(world.app, [id])
    await runWorkerUntil(world, async () => (await findRevocation(world, id)).state === 'seen')
    expect(revokeCallCount(world) - before).toBe(1)
    expect((await explainIssuance(world, 3))?.state).toBe('revoked')
  })

  test('with an unknown outcome that never arrived waits for an operator, who may repeat it', async () => {
    world.wire.spoil(revokePath, 'lose-request')
    const before = revokeCallCount(world)
    const id = await requestRevocation(world, 4)
    await processRevocations(world.app, [id])
    expect((await findRevocation(world, id)).state).toBe('unconfirmed')
    await runWorkerUntil(world, async () => (await findRevocation(world, id)).state === 'not_applied')
    expect(await world.app.ledger.revocations.toDecide()).toMatchObject([
      { issuanceId: 4, state: 'not_applied', by: 'ada' },
    ])
    expect(revokeCallCount(world) - before).toBe(1)

    const again = await requestRevocation(world, 4)
    expect(again).not.toBe(id)
    await processRevocations(world.app, [again])
    await runWorkerUntil(world, async () => (await findRevocation(world, again)).state === 'seen')
    expect(await world.app.ledger.revocations.toDecide()).toEqual([])
  })

  test('that the service refuses counts as seen if the credential was already revoked; otherwise it is shown as refused', async () => {
    const { credentialId } = await targetOf(world, 5)
    expect((await world.app.issuer.revokeCredential(credentialId)).class).toBe('accepted')
    await until('the report', async () => (await isRevokedInReport(world, credentialId)) === true)
    const already = await requestRevocation(world, 5)
    const refused = await requestRevocation(world, 6)
    await processRevocations(world.app, [already])
    world.wire.spoil(revokePath, { status: 400, body: '{"status":400,"message":"Not allowed"}' })
    await processRevocations(world.app, [refused])
    expect((await findRevocation(world, already)).state).toBe('seen')
    expect((await explainIssuance(world, 5))?.state).toBe('revoked')
    expect(await findRevocation(world, refused)).toMatchObject({
      state: 'refused',
      words: expect.stringContaining('Not allowed'),
    })
    expect(await world.app.ledger.revocations.toDecide()).toMatchObject([{ issuanceId: 6, state: 'refused' }])
  })

  test('that could not be sent stays open, and is stored once however often it is requested', async () => {
    world.wire.spoil(revokePath, { status: 429, body: '{}' })
    const id = await requestRevocation(world, 7)
    expect(await requestRevocation(world, 7)).toBe(id)
    await processRevocations(world.app, [id])
    expect((await findRevocation(world, id)).state).toBe('wanted')
    await runWorkerUntil(world, async () => (await findRevocation(world, id)).state === 'seen')
  })

  test('of a credential that is not in the ledger is also sent and seen', async () => {
    const { issuer, pipelines, ledger } = world.app
    const pipeline = pipelines.named('spring')
    const stranger = {
      Email: 'stranger@example.org',
      'First Name': 'Grace',
      'Last Name': 'Hopper',
      'Primary Value': 'Email',
    }
    await issuer.invite(issuer.prepareInvitation(buildInvitation(pipeline, pipeline.course ?? '', [stranger])), {
      deadlineMs: 10_000,
    })
    const record = () => world.sandbox.requests().find((request) => request.student.Email === stranger.Email)
    await until('the stranger', () => Boolean(record()?.credentialId))
    const credentialId = record()?.credentialId ?? ''
    const { id } = await ledger.revocations.request({ credentialId, issuanceId: null, correction: null, decision })
    await processRevocations(world.app, [id])
    await runWorkerUntil(world, async () => (await findRevocation(world, id)).state === 'seen')
    expect(record()?.revokedAt).toBeInstanceOf(Date)
    expect(revokeCallCount(world)).toBeGreaterThan(0)
  })

  test('that was made elsewhere is detected when the report is read', async () => {
    const { credentialId } = await targetOf(world, 8)
    await world.app.issuer.revokeCredential(credentialId)
    await until('the report', async () => (await isRevokedInReport(world, credentialId)) === true)
    await issueList(world, 'more.csv', peopleCsv(1, 10))
    expect((await explainIssuance(world, 8))?.state).toBe('revoked')
  })
})
