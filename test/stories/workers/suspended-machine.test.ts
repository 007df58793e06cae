// A machine is suspended for an hour after a claim. Its monotonic clock did not count the hour, and another worker may
// have sent in the meantime.

import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { issue } from '#jobs/issue.ts'
import { processRevocations } from '#jobs/revocations.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { findRevocation, openIssuedWorld, requestRevocation, revokeCallCount } from '#test/support/revocation-steps.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'

const upload = 'quickIssuance/recipients/data/upload'

/** A clock whose date, but not its monotonic time, moves forward by an hour when `suspend` is called. */
function suspendable() {
  let suspendedMs = 0
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + suspendedMs) }
  const suspend = () => {
    suspendedMs += 3_600_000
  }
  return { clock, suspend }
}

/** Receives a list, prepares a batch with its rows, and returns the id of the attempt. */
async function prepareBatch({ app, receive }: World): Promise<number> {
  const runId = await receive('list.csv', peopleCsv(3))
  await intake(app, { runId })
  return (await prepareOne(app.ledger, 'spring', 10)) as number
}

describeWithDatabase('a worker that is suspended after a claim', () => {
  test('does not send its batch, whose rows become pending again', async () => {
    const { clock, suspend } = suspendable()
    await using world = await openWorld({ appOptions: { clock } })
    const attemptId = await prepareBatch(world)
    const { ledger } = world.app
    const claimAndSuspend: typeof ledger.attempts.claim = async (claim) => {
      const claimed = await ledger.attempts.claim(claim)
      suspend()
      return claimed
    }
    await issue(
      { ...world.app, ledger: { ...ledger, attempts: { ...ledger.attempts, claim: claimAndSuspend } } },
      { attemptId },
      new AbortController().signal,
    )
    expect(world.wire.seen.filter((path) => path.includes(upload))).toEqual([])
    const { rows } = await world.app.database.query(
      'SELECT state, (SELECT error_code FROM attempt) AS code FROM issuance',
    )
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ state: 'pending', code: 'CLAIM_EXPIRED' })))
  })

  test('does not send a revocation, which stays open', async () => {
    const { clock, suspend } = suspendable()
    await using world = await openIssuedWorld(1, { appOptions: { clock } })
    const id = await requestRevocation(world, 1)
    const { ledger } = world.app
    const claimAndSuspend: typeof ledger.revocations.claim = async (...claim) => {
      const claimed = await ledger.revocations.claim(...claim)
      suspend()
      return claimed
    }
    await processRevocations(
      { ...world.app, ledger: { ...ledger, revocations: { ...ledger.revocations, claim: claimAndSuspend } } },
      [id],
    )
    expect(revokeCallCount(world)).toBe(0)
    expect(await findRevocation(world, id)).toMatchObject({ state: 'wanted', outcome: 'not_sent' })
  })
})
