// Notifies recipients that PostgreSQL does not answer. The ledger cannot record this, so it is kept in memory, and each
// worker may notify them once; the message has the same id for all of them. Calls mail servers and hooks.

import { createHash } from 'node:crypto'
import type { Facts } from '#src/notices/facts.ts'
import { recipientsOf } from '#src/notices/notice-steps.ts'
import { wordMessage } from '#src/notices/word-message.ts'
import type { NoticeTools } from './decide-notices.ts'

/** PostgreSQL usually answers again within a few minutes, after a restart or an update. */
const awayAfterMs = 5 * 60_000

const facts: Facts = { about: 'database' }
const occasion = { key: 'away database', kind: 'away' as const, pipeline: null, facts }

export interface OutageReport {
  /** PostgreSQL did not answer. */
  failed(signal: AbortSignal): Promise<void>
  /** PostgreSQL answers. */
  answered(): Promise<void>
}

export function openOutageReport({ ledger, notices, clock, log }: NoticeTools): OutageReport {
  let since: Date | null = null
  let isReported = false
  const to = notices.settings?.to ?? {}
  return {
    async failed(signal) {
      const now = clock.now()
      since ??= now
      if (isReported || now.getTime() - since.getTime() < awayAfterMs) return
      isReported = true
      const began = since
      const change = { ...occasion, id: 0, change: 'opened' as const, since: began, at: now }
      const words = wordMessage([change], {
        ...{ environment: ledger.environment, now },
        link: notices.settings?.console ?? null,
      })
      const names = recipientsOf(to, occasion)
      for (const { name, way } of notices.recipients.filter((each) => names.includes(each.name))) {
        const id = stableId(ledger.id, name, began)
        const result = await way.send({ id, createdAt: began, words }, signal)
        log.event(result.kind === 'delivered' ? 'notice.delivered' : 'notice.undelivered', { target: name })
      }
    },
    async answered() {
      const began = since
      const wasReported = isReported
      if (began !== null && wasReported)
        await ledger.notices.apply(
          [
            { do: 'open', once: true, ...occasion, since: began, recipients: recipientsOf(to, occasion) },
            { do: 'recover', always: true, ...occasion, recipients: recipientsOf(to, occasion) },
          ],
          clock.now(),
        )
      since = null
      isReported = false
    },
  }
}

/** The same for all workers that noticed the outage within the same hour. */
function stableId(...[ledger, recipient, began]: [string, string, Date]): string {
  const hash = createHash('sha256')
    .update(`${ledger} ${recipient} ${began.toISOString().slice(0, 13)}`)
    .digest('hex')
  return [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join('-')
}
