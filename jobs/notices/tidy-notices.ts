// Removes the data of recipients who are no longer configured, and notices that ended long ago. Writes the ledger.

import type { NoticeTools } from './decide-notices.ts'

/** Another worker may still have, or already have, other recipients while the configuration is changed. */
const forgetAfterMs = 3_600_000
const retentionMs = 90 * 86_400_000

/** Does nothing while another worker works on the notices. */
export async function tidyNotices(tools: NoticeTools): Promise<void> {
  await tools.ledger.locks.withLock('notices', () => tidy(tools), false)
}

async function tidy({ ledger, notices, clock, log }: NoticeTools): Promise<void> {
  const { settings } = notices
  const now = clock.now()
  const earlier = (ms: number) => new Date(now.getTime() - ms)
  // Without `notify`, nothing else ends the notices.
  const left = settings ? [] : (await ledger.notices.open()).filter(({ openedAt }) => openedAt < earlier(forgetAfterMs))
  await ledger.notices.apply(
    left.map(({ key, facts }) => ({ do: 'recover', key, facts, recipients: [], always: false })),
    now,
  )
  const names = Object.keys(settings?.to ?? {})
  for (const target of await ledger.notices.forgetOtherRecipients(names, earlier(forgetAfterMs)))
    log.event('notice.forgotten', { target })
  await ledger.notices.prune(earlier(retentionMs))
  // If recipients are configured again, nobody is notified of earlier lists.
  if (!settings)
    for (const kind of ['summary', 'refused']) await ledger.notices.watchedSince(`notify ${kind}`, 'none', now)
}
