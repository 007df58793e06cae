// The database is unavailable when a call is answered. Only this process has the answer, so it writes the
// outcome once the database is available again.

import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { issue } from '#jobs/issue.ts'
import { processRevocations } from '#jobs/revocations.ts'
import type { Outcome } from '#src/issuer/sending/outcome.ts'
import { describeWithDatabase, onServer } from '#test/support/database.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { findRevocation, openIssuedWorld, requestRevocation } from '#test/support/revocation-steps.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'

/**
 * Returns tools for a job: the database becomes unavailable when a call has been answered, and available again after
 * the first failed write.
 */
function withOutageAfterAnswer({ app, databaseUrl }: World) {
  const name = new URL(databaseUrl).pathname.slice(1)
  const faults: unknown[] = []
  let reconnected = Promise.resolve()
  const cutOff = async (outcome: Outcome) => {
    await onServer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
    await onServer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
    return outcome
  }
  const { invite, revokeCredential } = app.issuer
  return {
    faults,
    tools: {
      ...app,
      issuer: {
        ...app.issuer,
        invite: async (...call: Parameters<typeof invite>) => cutOff(await invite(...call)),
        revokeCredential: async (...call: Parameters<typeof revokeCredential>) =>
          cutOff(await revokeCredential(...call)),
      },
      log: {
        event: (event: string, fields = {}) => {
          if (event !== 'fault') return
          faults.push(fields)
          reconnected = reconnected.then(() => onServer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`))
        },
      },
    },
    untilReconnected: () => reconnected,
  }
}

describeWithDatabase('an outcome that arrives while the database is unavailable', () => {
  test('is written for an invitation once the database is available again', async () => {
    await using world = await openWorld()
    await intake(world.app, { runId: await world.receive('list.csv', peopleCsv(2)) })
    const attemptId = (await prepareOne(world.app.ledger, 'spring', 10)) as number
    const { tools, faults, untilReconnected } = withOutageAfterAnswer(world)
    await issue(tools, { attemptId }, new AbortController().signal)
    await untilReconnected()
    expect(faults[0]).toMatchObject({ where: 'outcome' })
    const { rows } = await world.app.database.query('SELECT phase, outcome FROM attempt')
    expect(rows).toEqual([{ phase: 'ended', outcome: 'accepted' }])
  })

  test('is written for a revocation once the database is available again', async () => {
    await using world = await openIssuedWorld(1)
    const id = await requestRevocation(world, 1)
    const { tools, faults, untilReconnected } = withOutageAfterAnswer(world)
    await processRevocations(tools, [id])
    await untilReconnected()
    expect(await findRevocation(world, id)).toMatchObject({ outcome: 'accepted' })
    expect(faults[0]).toMatchObject({ where: 'outcome' })
  })
})
