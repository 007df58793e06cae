// Checks whether recipients can be notified: connects to the mail server and logs in, and looks at the addresses of
// hooks. Sends nothing.

import { type NotifySettings, noticeKinds } from '#config/notify-settings.ts'
import { countOf } from '#src/issuing/results/counted-noun.ts'
import { openLmsHttp } from '#src/lms/http/http-client.ts'
import { openNotices } from '#src/notices/open-notices.ts'
import { type Check, faulty, faultyFromSentence, passed } from './check-result.ts'
import type { Parts } from './open-parts.ts'

/** @param ca see `openMailServer` */
export async function checkNotify(
  { settings, clock }: Pick<Parts, 'clock'> & NotifyParts,
  ca?: string,
): Promise<Check[]> {
  const { notify } = settings.file
  if (!notify) return []
  const wire = openLmsHttp(clock)
  try {
    const notices = openNotices(settings.file, { send: wire.send, clock, ...(ca !== undefined && { ca }) })
    return [
      ...(await checkMailServer(notices)),
      ...Object.entries(notify.to).flatMap(([name, recipient]) => checkHook(name, recipient)),
      ...checkCoverage(notify),
    ]
  } finally {
    await wire.close()
  }
}

type NotifyParts = { settings: Pick<Parts['settings'], 'file'> }

async function checkMailServer({ mailServer, recipients }: ReturnType<typeof openNotices>): Promise<Check[]> {
  if (!mailServer || recipients.every(({ way }) => way.kind !== 'email')) return []
  const problem = await mailServer.verify()
  return [
    problem === null
      ? passed(
          'notify',
          `the mail server ${mailServer.host} accepts the connection and the login; the check sent nothing`,
        )
      : faultyFromSentence('notify', `${problem}.`, {}, 'Correct notify.smtp, or ask whoever runs the mail server'),
  ]
}

function checkHook(name: string, { slack, teams, webhook }: NotifySettings['to'][string]): Check[] {
  const where = `notify.to.${name}`
  const url = URL.parse(slack ?? teams ?? webhook ?? '')
  if (!url) return []
  if (slack !== undefined && !/^\/services\/[^/]+\/[^/]+\/[^/]+$/.test(url.pathname))
    return [
      faulty(
        where,
        `the path at ${url.host} is not that of a Slack incoming webhook`,
        'Copy its whole address, which ends with /services/T…/B…/…',
      ),
    ]
  if (teams !== undefined && /(^|\.)webhook\.office\.com$/.test(url.hostname))
    return [
      faulty(
        where,
        'this is the address of a connector, which Teams no longer accepts',
        'Make a workflow “when a Teams webhook request is received”, and copy its address',
      ),
    ]
  const kind =
    slack === undefined ? (teams === undefined ? 'signed messages' : 'messages to Teams') : 'messages to Slack'
  return [passed(where, `${kind} go to ${url.host}; the check sent nothing, \`credsync notify --test ${name}\` does`)]
}

/** Something that nobody is notified of is easily forgotten when a recipient is added or removed. */
function checkCoverage({ to }: NotifySettings): Check[] {
  const asked = new Set(Object.values(to).flatMap(({ on }) => on))
  if (asked.has('all')) return []
  const missing = noticeKinds.filter((kind) => kind !== 'summary' && !asked.has(kind))
  if (missing.length === 0) return []
  return [
    passed('notify', countOf(Object.keys(to).length, 'recipient'), {
      notices: [`nobody is notified of: ${missing.join(', ')}`],
    }),
  ]
}
