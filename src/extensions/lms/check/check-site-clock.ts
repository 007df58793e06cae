// Checks the clock of a learning system by the Date header of its last response. Makes no requests of its own.

import { maxServiceSkewMs } from '#src/check/check-clocks.ts'
import { type Check, faulty, passed } from '#src/check/check-result.ts'
import type { LmsHttp } from '#src/platform/http/http-client.ts'
import type { Clock } from '#src/platform/time/clock.ts'

export interface WatchedSite {
  /** Sends a request, and notes the time in the response. */
  send: LmsHttp['send']
  /** Compares the clock of the system with ours, by its last response. */
  clock(system: string): Check
}

export function watchSite(wire: Pick<LmsHttp, 'send'>, clock: Clock): WatchedSite {
  let offsetMs: number | null = null
  return {
    async send(request) {
      const result = await wire.send(request)
      const date = result.kind === 'answer' ? Date.parse(result.headers.date ?? '') : Number.NaN
      if (!Number.isNaN(date)) offsetMs = date - clock.now().getTime()
      return result
    },
    clock: (system) => checkSiteClock(offsetMs, system),
  }
}

/** @param offsetMs the site's clock minus ours, in milliseconds; null if no response contained a time */
function checkSiteClock(offsetMs: number | null, system: string): Check {
  const subject = { system }
  if (offsetMs === null)
    return passed(
      'system clock',
      "the clock of the site was not compared: the site's answers carry no Date header",
      subject,
    )
  if (Math.abs(offsetMs) <= maxServiceSkewMs)
    return passed('system clock', "the clock of the site agrees with this machine's clock (Date header)", subject)
  const difference = `${Math.round(Math.abs(offsetMs) / 1_000)} s ${offsetMs > 0 ? 'behind' : 'ahead of'}`
  return faulty(
    'system clock',
    `this machine's clock is ${difference} that of the site (Date header)`,
    'Synchronize both machines by NTP: the time of a completion distinguishes one occasion from the next',
    subject,
  )
}
