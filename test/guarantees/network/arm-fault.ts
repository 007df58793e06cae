// Arms a case's fault, either on chosen exchanges or on all connections. A fault on all connections lasts from the
// last answer before the stage until it affects the worker.

import { until } from '#test/support/until.ts'
import type { FaultyWorld } from './faulty-world.ts'
import { attemptsOf } from './ledger-attempts.ts'
import type { NetworkCase } from './network-case.ts'
import { stages } from './stages.ts'

export interface ArmedFault {
  /** Call this before the second list is submitted, in case the fault waits for it. */
  beforeSecondList(): void
  /** Settles when the fault is over and the network works again. */
  untilOver(): Promise<void>
}

export function armFault(world: FaultyWorld, networkCase: NetworkCase): ArmedFault {
  const { network } = world
  const { path, follows, followsNth = 1, second } = stages[networkCase.stage]
  const { effect } = networkCase.fault
  const minutes = typeof second === 'object' && second ? second.minutes : 0
  const advance = () => world.clock.advance(minutes)
  // A token is renewed only after time has passed, so time must pass before the first renewal too.
  if (networkCase.stage === 'refresh' && follows) network.before(stages[follows].path, 1, advance)
  if (networkCase.from === 2) network.before(stages.invite.path, 1, advance)

  if ('strike' in effect) network.strike(path, networkCase.from, networkCase.times, effect.strike(networkCase.received))
  const blocked = 'shut' in effect ? openBlockedNetwork(world, networkCase, effect.shut) : null
  if (blocked) {
    if (networkCase.from === 2 && second !== 'list') network.before(stages.invite.path, 1, blocked.shut)
    else if (networkCase.from === 1 && follows) network.before(stages[follows].path, followsNth, blocked.shut)
    else if (networkCase.from === 1) blocked.shut()
  }
  return {
    beforeSecondList: () => blocked?.shut(),
    untilOver: async () => blocked?.untilOver(),
  }
}

function openBlockedNetwork(world: FaultyWorld, networkCase: NetworkCase, mode: 'refuse' | 'drop') {
  const { endpoint } = stages[networkCase.stage]
  let callsBefore = Number.POSITIVE_INFINITY
  const calls = () => world.app.issuer.counts()[endpoint]

  /** An invitation that was not sent is recorded in the ledger; a repeated read shows that the previous one failed. */
  async function workerIsAffected(): Promise<boolean> {
    if (networkCase.stage === 'invite') return (await attemptsOf(world)).some((each) => each.outcome === 'not_sent')
    return calls() >= callsBefore + 2
  }
  return {
    shut() {
      callsBefore = calls()
      world.network.shut(mode)
    },
    async untilOver() {
      await until('the worker to be affected by the blocked network', workerIsAffected)
      await world.network.open()
    },
  }
}
