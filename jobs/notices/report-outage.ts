// Notifies recipients that PostgreSQL cannot be used. The ledger cannot record this, so each worker remembers it and
// may send the message once, with an id that is the same for every worker. Calls mail servers and hooks.

import { createHash } from 'node:crypto'
import { composeMessage } from '#src/extensions/notices/compose-message.ts'
import { awayAfterMs, type Facts } from '#src/extensions/notices/facts.ts'
import { recipientsOf } from '#src/extensions/notices/notice-steps.ts'
import type { NoticeTools } from './decide-notices.ts'
import { openPause, type Pause, retryCurve } from './pause-after-failure.ts'

const facts: Facts = { about: 'database' }
const occasion = { key: 'away database', kind: 'away' as const, pipeline: null, facts }

export interface OutageReport {
  /** PostgreSQL does not answer, or accepts no writes. */
  failed(signal: AbortSignal): Promise<void>
  /** PostgreSQL works. */
  answered(): Promise<void>
}

export function openOutageReport({ ledger, notices, clock, log }: NoticeTools): OutageReport {
  let since: Date | null = null
  const notified = new Set<string>()
  /** Of recipients who could not be reached, until they are tried again. */
  const pauses = new Map<string, Pause>()
  const to = notices.settings?.to ?? {}
  const lasts = (began: Date) => clock.now().getTime() - began.getTime() >= awayAfterMs

  async function notify(
    { name, channel }: NoticeTools['notices']['recipients'][number],
    began: Date,
    signal: AbortSignal,
  ) {
    const pause = pauses.get(name) ?? openPause(clock, retryCurve.baseMs, retryCurve.capMs)
    if (pause.lasts()) return
    pauses.set(name, pause)
    const now = clock.now()
    const change = { ...occasion, id: 0, change: 'opened' as const, since: began, at: now }
    const { environment } = ledger
    const words = composeMessage([change], { environment, now, link: notices.settings?.console ?? null })
    const result = await channel.send({ id: stableId(ledger.id, name, began), createdAt: began, words }, signal)
    if (result.kind === 'delivered') notified.add(name)
    else pause.afterFailure()
    log.event(result.kind === 'delivered' ? 'notice.delivered' : 'notice.undelivered', {
      target: name,
      channel: channel.kind,
    })
  }
  return {
    async failed(signal) {
      // A clock that was set back must not postpone the message.
      if (since === null || since > clock.now()) since = clock.now()
      const began = since
      if (!lasts(began)) return
      const names = recipientsOf(to, occasion).filter((name) => !notified.has(name))
      await Promise.all(
        notices.recipients.filter(({ name }) => names.includes(name)).map((each) => notify(each, began, signal)),
      )
    },
    async answered() {
      // Recipients who could not be reached during the outage are still notified of it.
      if (since !== null && lasts(since))
        await ledger.notices.apply(
          [
            { do: 'open', once: true, ...occasion, since, recipients: recipientsOf(to, occasion) },
            { do: 'recover', always: true, ...occasion, recipients: recipientsOf(to, occasion) },
          ],
          clock.now(),
        )
      since = null
      notified.clear()
      pauses.clear()
    },
  }
}

/** Returns the same id in all workers that noticed the outage within the same hour. */
function stableId(...[ledger, recipient, began]: [string, string, Date]): string {
  const hash = createHash('sha256')
    .update(`${ledger} ${recipient} ${began.toISOString().slice(0, 13)}`)
    .digest('hex')
  return [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join('-')
}
