// Lays the fault of a case: chosen exchanges, or all connections from the last answer before the stage until the worker has felt it.

import { until } from '#test/support/until.ts'
import type { FaultyWorld } from './faulty-world.ts'
import { attemptsOf } from './ledger-attempts.ts'
import type { NetworkCase } from './network-case.ts'
import { stages } from './stages.ts'

export interface ArmedFault {
  /** For a fault that waits for a second list. */
  beforeSecondList(): void
  /** Settles when the fault is over and the way is free. */
  over(): Promise<void>
}

export function armFault(world: FaultyWorld, of: NetworkCase): ArmedFault {
  const { network } = world
  const { path, follows, second } = stages[of.stage]
  const { does } = of.fault
  const minutes = typeof second === 'object' && second ? second.minutes : 0
  const moveOn = () => world.clock.moveOn(minutes)
  // A token is renewed only when time has passed, the first time too.
  if (of.stage === 'refresh' && follows) network.before(stages[follows].path, 1, moveOn)
  if (of.from === 2) network.before(stages.invite.path, 1, moveOn)

  if ('strike' in does) network.strike(path, of.from, of.times, does.strike(of.heard))
  const shutting = 'shut' in does ? openShutting(world, of, does.shut) : null
  if (shutting) {
    if (of.from === 2 && second !== 'list') network.before(stages.invite.path, 1, shutting.shut)
    else if (of.from === 1 && follows) network.before(stages[follows].path, 1, shutting.shut)
    else if (of.from === 1) shutting.shut()
  }
  return {
    beforeSecondList: () => shutting?.shut(),
    over: async () => shutting?.over(),
  }
}

function openShutting(world: FaultyWorld, of: NetworkCase, manner: 'refuse' | 'drop') {
  const { endpoint } = stages[of.stage]
  let callsBefore = Number.POSITIVE_INFINITY
  const calls = () => world.app.issuer.counts()[endpoint]

  /** An invitation that was not sent is in the ledger; a read that is asked for again was refused the time before. */
  async function felt(): Promise<boolean> {
    if (of.stage === 'invite') return (await attemptsOf(world)).some((each) => each.outcome === 'not_sent')
    return calls() >= callsBefore + 2
  }
  return {
    shut() {
      callsBefore = calls()
      world.network.shut(manner)
    },
    async over() {
      await until('the worker to feel that the way is shut', felt)
      await world.network.open()
    },
  }
}
