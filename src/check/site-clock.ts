// The clock of a learning system, by the Date header of its last answer.

import type { Clock } from '#src/time/clock.ts'
import type { Wire } from '#src/wire/open-wire.ts'
import { bad, type Check, good } from './check.ts'
import { mostToServiceMs } from './check-clocks.ts'

export interface WatchedSite {
  /** The wire, listened to. */
  send: Wire['send']
  /** What its answers so far say of the clock of the system. */
  clock(system: string): Check
}

export function watchSite(wire: Pick<Wire, 'send'>, clock: Clock): WatchedSite {
  let offset: number | null = null
  return {
    async send(ask) {
      const heard = await wire.send(ask)
      const told = heard.kind === 'answer' ? Date.parse(heard.headers.date ?? '') : Number.NaN
      if (!Number.isNaN(told)) offset = told - clock.now().getTime()
      return heard
    },
    clock: (system) => judgeClock(offset, system),
  }
}

/** @param offset milliseconds that the site is ahead of us; null when no answer told its time */
function judgeClock(offset: number | null, system: string): Check {
  const more = { system }
  if (offset === null)
    return good('system clock', "its clock was not compared: the site's answers carry no Date header", more)
  if (Math.abs(offset) <= mostToServiceMs)
    return good('system clock', "its clock agrees with this machine's (Date header)", more)
  const apart = `${Math.round(Math.abs(offset) / 1_000)} s ${offset > 0 ? 'behind' : 'ahead of'}`
  return bad(
    'system clock',
    `this machine's clock is ${apart} that of the site (Date header)`,
    'Let both machines keep network time (NTP): the time of a completion tells one occasion from the next',
    more,
  )
}
