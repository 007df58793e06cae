// Checks whether recipients can be notified: connects to the mail server, logs in and names the sender, and looks at the
// addresses of hooks. Sends nothing.

import type { App } from '#src/app/app.ts'
import { type Check, faulty, faultyFromSentence, passed } from '#src/check/check-result.ts'
import type { Parts } from '#src/check/open-parts.ts'
import { openNotices } from '#src/extensions/notices/open-notices.ts'
import type { NotifySettings } from '#src/extensions/notices/settings/notify-settings.ts'
import { checkFirstList } from '#src/issuing/reconcile/check-first-list.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import { openLmsHttp } from '#src/platform/http/http-client.ts'
import { safeMessage } from '#src/platform/safe-message.ts'
import { coverageNotices } from './notice-coverage.ts'

/** @param ca see `openMailServer` */
export async function checkNotify(
  { settings, clock }: Pick<Parts, 'clock'> & NotifyParts,
  ca?: string,
): Promise<Check[]> {
  const { notify } = settings.file
  const coverage = coverageNotices(settings.file)
  if (!notify) return coverage.length > 0 ? [passed('notify', 'nobody is notified', { notices: coverage })] : []
  const wire = openLmsHttp(clock)
  try {
    const notices = openNotices(settings.file, { send: wire.send, clock, ...(ca !== undefined && { ca }) }, [])
    return [
      ...(await checkMailServer(notices, notify.smtp)),
      ...Object.entries(notify.to).flatMap(([name, recipient]) => checkHook(name, recipient)),
      ...(coverage.length > 0
        ? [passed('notify', countOf(Object.keys(notify.to).length, 'recipient'), { notices: coverage })]
        : []),
    ]
  } finally {
    await wire.close()
  }
}

type NotifyParts = { settings: Pick<Parts['settings'], 'file'> }

async function checkMailServer(
  { mailServer, recipients }: ReturnType<typeof openNotices>,
  smtp: NotifySettings['smtp'],
): Promise<Check[]> {
  if (!mailServer || !smtp || recipients.every(({ way }) => way.kind !== 'email')) return []
  const { problem, offersLogin } = await mailServer.probe()
  if (problem !== null)
    return [faultyFromSentence('notify', `${problem}.`, {}, 'Correct notify.smtp, or ask whoever runs the mail server')]
  const logsIn = smtp.auth !== 'none'
  const accepts = logsIn && offersLogin ? 'accepts the login, and `from` as the sender' : 'accepts `from` as the sender'
  const notice = logsIn
    ? '`auth` has no effect, because the server offers no login on this connection: check `port` and `tls`'
    : 'the server offers a login, and may need one before it accepts the addresses: `credsync notify --test` shows that'
  return [
    passed('notify', `the mail server ${mailServer.host} ${accepts}; the check sent nothing`, {
      ...(logsIn !== offersLogin && { notices: [notice] }),
    }),
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

// A notice of `check` about a course that already has credentials in the report but none in this ledger: its first list
// would wait for a decision. Never a fault. Calls the service and reads the ledger.

/** @returns an empty list if there is nothing to report */
export async function firstListNotices(
  { issuer, ledger }: Pick<App, 'issuer' | 'ledger'>,
  course: string,
  pageSize: number,
): Promise<string[]> {
  try {
    // There is no list yet, so only the name of the course is searched for.
    const shows = await checkFirstList({ issuer, ledger, pageSize }, { course, people: [], correlation: null })
    return shows === null ? [] : [`a first list would wait. ${shows}`]
  } catch (error) {
    return [`the report could not be checked for this course, so a first list would wait: ${safeMessage(error)}`]
  }
}
