// Rolls a ledger back while a worker is running. No credential is requested twice, which the sandbox's records must
// show, no outcome is lost, and sending stops until an operator decides.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { issue } from '#jobs/issue.ts'
import { processRevocations } from '#jobs/revocations.ts'
import type { App } from '#src/app/app.ts'
import type { Outcome } from '#src/issuer/sending/outcome.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { findRevocation, openIssuedWorld, requestRevocation, revokeCallCount } from '#test/support/revocation-steps.ts'
import {
  anotherWorker,
  backUpWorld,
  expectEachOnce,
  fiveTimes,
  interruptAfterInvite,
  neverAborted,
  openEventLog,
  openLoggedWorld,
  prepareBatch,
  runCredsync,
  statesOf,
  stopReason,
} from '#test/support/rolled-back-world.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv } from '#test/support/world.ts'

describeWithDatabase('a ledger that is rolled back between a claim and its answer', () => {
  test.each([
    ['accepted', 'requested', (outcome: Outcome) => outcome],
    ['unknown', 'unconfirmed', (outcome: Outcome) => ({ ...outcome, class: 'unknown' as const, status: null })],
  ])('still gets the outcome %s, its rows are %s, and nothing more is sent', async (_, state, changed) => {
    await using world = await openLoggedWorld()
    const attemptId = await prepareBatch(world)
    const backup = await backUpWorld(world)
    const tools = interruptAfterInvite(world.app, async (outcome) => {
      await backup.restore()
      return changed(outcome)
    })
    await issue(tools, { attemptId }, neverAborted)
    expect(await statesOf(world)).toEqual(fiveTimes(state))
    expect(await stopReason(world)).toContain(`batch ${attemptId} has an outcome`)
    expect(world.notes.names).toContain('outcome.forgotten')
    const [life] = await world.app.ledger.issuances.explain({ id: 1 })
    expect(life?.history.map(({ event }) => event)).toContain('sending, as a call that the ledger had forgotten')
    expectEachOnce(world, 5)
  })

  test('also gets the outcome if the batch was dropped and its rows are now in another batch', async () => {
    await using world = await openLoggedWorld()
    const attemptId = await prepareBatch(world)
    const backup = await backUpWorld(world)
    const tools = interruptAfterInvite(world.app, async (outcome) => {
      await backup.restore()
      await world.app.ledger.attempts.drop(attemptId, 'dropped', 0)
      expect(await prepareOne(world.app.ledger, 'spring', 3)).not.toBeNull()
      return outcome
    })
    await issue(tools, { attemptId }, neverAborted)
    expect(await statesOf(world)).toEqual(fiveTimes('requested'))
    expect(await world.app.ledger.attempts.countOpen()).toBe(0)
  })

  test('that also lost the batch does not assign the outcome to other people, and reports that it cannot be stored', async () => {
    await using world = await openLoggedWorld()
    const backup = await backUpWorld(world)
    const attemptId = await prepareBatch(world)
    const tools = interruptAfterInvite(world.app, async (outcome) => {
      await backup.restore()
      // The ids are used again for other people. The report already shows the course, so an operator approves the list.
      const runId = await world.receive('others.csv', peopleCsv(5, 100))
      await intake(world.app, { runId })
      expect(await world.app.ledger.brake.approve(runId, { by: 'ada', why: '' })).toBe(true)
      await intake(world.app, { runId })
      expect(await prepareOne(world.app.ledger, 'spring', 5)).toBe(attemptId)
      return outcome
    })
    await issue(tools, { attemptId }, neverAborted)
    expect(await statesOf(world)).toEqual(fiveTimes('pending'))
    expect(await stopReason(world)).toContain(`batch ${attemptId} has an outcome`)
    expect(world.notes.names).toContain('outcome.forgotten')
    await issue(world.app, { attemptId }, neverAborted)
    expectEachOnce(world, 5)
  })

  test('is reported by status, check and the other commands, and an operator’s decision resumes sending, with exactly one credential for everyone', async () => {
    await using world = await openWorld()
    const attemptId = await prepareBatch(world)
    const backup = await backUpWorld(world)
    const tools = interruptAfterInvite(world.app, async (outcome) => {
      await backup.restore()
      return outcome
    })
    await issue(tools, { attemptId }, neverAborted)
    await intake(world.app, { runId: await world.receive('more.csv', peopleCsv(5, 100)) })
    await anotherWorker(world, async (app, notes) => {
      expect(notes).toContain('sending.stopped')
      await until('the first list to be issued', async () => {
        const states = await statesOf({ app })
        return states.filter((state) => state === 'issued').length === 5 || states.join()
      })
      expect((await statesOf({ app })).slice(5)).toEqual(fiveTimes('pending'))
    })
    const status = await runCredsync(world, ['status'])
    expect(status.stdout).toMatch(/^Nothing has been sent for development since .*credsync trust-ledger/)
    expect(JSON.parse((await runCredsync(world, ['status', '--json'])).stdout).stopped).toHaveLength(1)
    expect((await runCredsync(world, ['check'])).stdout).toContain('nothing is sent')
    const reconciled = await runCredsync(world, ['reconcile', '--once'])
    expect(reconciled.stderr).toMatch(/5 rows wait to be sent\. Nothing has been sent for development since/)
    expect(reconciled.stderr).not.toContain('credsync start')
    const issueResult = await runCredsync(world, [
      'issue',
      join(world.folder, 'more.csv'),
      '--pipeline',
      'spring',
      '--timeout',
      '4m',
    ])
    expect(issueResult).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Nothing has been sent for development'),
    })
    expect(await runCredsync(world, ['trust-ledger', '--yes'])).toMatchObject({ code: 2 })
    expect(await runCredsync(world, ['trust-ledger', '--reason', 'adopted'])).toMatchObject({ code: 2 })
    const trusted = await runCredsync(world, ['trust-ledger', '--reason', 'adopted', '--by', 'ada', '--yes'])
    expect(trusted).toMatchObject({ code: 0 })
    const { rows } = await world.app.database.query('SELECT ended_by AS by, ended_why AS why FROM sending_stop')
    expect(rows).toEqual([{ by: 'ada', why: 'adopted' }])
    await anotherWorker(world, async (app) => {
      await until('both lists to be issued', async () => {
        const states = await statesOf({ app })
        return states.every((state) => state === 'issued') || states.join()
      })
    })
    expect(await runCredsync(world, ['trust-ledger', '--reason', 'again'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Sending is not stopped'),
    })
    expectEachOnce(world, 10)
  })
})

describeWithDatabase('a revocation', () => {
  test('whose ledger was rolled back between claim and answer gets its outcome, and nothing more is sent', async () => {
    await using world = await openIssuedWorld(2)
    const [first, second] = [await requestRevocation(world, 1), await requestRevocation(world, 2)]
    const backup = await backUpWorld(world)
    const { app } = world
    const revokeCredential: App['issuer']['revokeCredential'] = async (...given) => {
      const outcome = await app.issuer.revokeCredential(...given)
      await backup.restore()
      return outcome
    }
    const notes = openEventLog()
    await processRevocations({ ...app, log: notes, issuer: { ...app.issuer, revokeCredential } }, [first])
    expect((await findRevocation(world, first)).state).toMatch(/accepted|seen/)
    expect(notes.names).toContain('outcome.forgotten')
    expect(await stopReason(world)).toContain(`revocation ${first} has an outcome`)
    await processRevocations(app, [second])
    expect((await findRevocation(world, second)).state).toBe('wanted')
    expect(revokeCallCount(world)).toBe(1)
    expect(await runCredsync(world, ['revoke', 'i2', '--yes'])).toMatchObject({ code: 3 })
  })

  test('that is still open in a restored ledger is not sent again', async () => {
    await using world = await openIssuedWorld(1)
    const id = await requestRevocation(world, 1)
    const backup = await backUpWorld(world)
    await processRevocations(world.app, [id])
    await backup.restore()
    expect((await findRevocation(world, id)).state).toBe('wanted')
    await processRevocations(world.app, [id])
    expect(await stopReason(world)).toContain('has no record of the last call')
    expect(revokeCallCount(world)).toBe(1)
  })
})

describeWithDatabase('a ledger that was rolled back and continues before it was compared with the mark', () => {
  test('sends nothing if the mark of its second claim is written before that of the first', async () => {
    await using world = await openLoggedWorld()
    const { app } = world
    const [first, second] = [await prepareBatch(world), await prepareBatch(world, 2, 11)]
    const backup = await backUpWorld(world)
    await issue(app, { attemptId: first }, neverAborted)
    await backup.restore()
    const overtaken = Promise.withResolvers<void>()
    const raise: typeof app.mark.raise = async (claim) => {
      await overtaken.promise
      return app.mark.raise(claim)
    }
    const slow = issue({ ...app, mark: { ...app.mark, raise } }, { attemptId: second }, neverAborted)
    await until('the first claim', async () => {
      const { rows } = await app.database.query('SELECT FROM claim_counter WHERE number > 0')
      return rows.length > 0
    })
    await issue(app, { attemptId: first }, neverAborted)
    overtaken.resolve()
    await slow
    expectEachOnce(world, 5)
    expect(await stopReason(world)).toContain('has no record of the last call that this installation sent')
  })

  test('sends nothing if the process with the first claim crashed before the mark was written', async () => {
    await using world = await openLoggedWorld()
    const { app } = world
    const [first, second] = [await prepareBatch(world), await prepareBatch(world, 2, 11)]
    const backup = await backUpWorld(world)
    await issue(app, { attemptId: first }, neverAborted)
    await backup.restore()
    await app.ledger.attempts.claim({
      attemptId: second,
      instance: crypto.randomUUID(),
      requestSha256: 'ab'.repeat(32),
      deadlineMs: 30_000,
    })
    await issue(app, { attemptId: first }, neverAborted)
    expectEachOnce(world, 5)
    expect(await stopReason(world)).toContain('has no record of the last call that this installation sent')
  })
})
