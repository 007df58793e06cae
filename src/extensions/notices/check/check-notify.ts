// What `check` says about notices: whether the mail server can be reached, what nobody is notified of, and whether the
// first list of a course would wait for a decision. Sends nothing.

import type { App } from '#src/app/app.ts'
import { type Check, faultyFromSentence, passed } from '#src/check/check-result.ts'
import type { Parts } from '#src/check/open-parts.ts'
import { isWanted } from '#src/extensions/notices/notice-steps.ts'
import { openNotices } from '#src/extensions/notices/open-notices.ts'
import { type NoticeKind, type NotifySettings, noticeKinds } from '#src/extensions/notices/settings/notify-settings.ts'
import { checkFirstList } from '#src/issuing/reconcile/check-first-list.ts'
import { openLmsHttp } from '#src/platform/http/http-client.ts'
import { safeMessage } from '#src/platform/safe-message.ts'

/** Checks whether recipients can be notified: connects to the mail server and logs in. */
export async function checkNotify({ settings, clock }: Pick<Parts, 'clock'> & NotifyParts): Promise<Check[]> {
  const { notify } = settings.file
  const missing = kindsWithoutRecipient(settings.file)
  const coverage =
    missing.length === 0
      ? []
      : [passed('notify', 'who is notified of what', { notices: [`nobody is notified of: ${missing.join(', ')}`] })]
  if (!notify) return coverage
  const wire = openLmsHttp(clock)
  try {
    const notices = openNotices(settings.file, { send: wire.send, clock }, [])
    return [...(await checkMailServer(notices, notify.smtp)), ...coverage]
  } finally {
    await wire.close()
  }
}

type NotifyParts = { settings: Pick<Parts['settings'], 'file'> }

async function checkMailServer(
  { mailServer, recipients }: ReturnType<typeof openNotices>,
  smtp: NotifySettings['smtp'],
): Promise<Check[]> {
  if (!mailServer || !smtp || recipients.every(({ channel }) => channel.kind !== 'email')) return []
  const problem = await mailServer.probe()
  if (problem !== null)
    return [faultyFromSentence('notify', `${problem}.`, {}, 'Correct notify.smtp, or ask whoever runs the mail server')]
  const login = smtp.auth === 'none' ? '' : ' and does not refuse the login'
  return [
    passed('notify', `the mail server ${mailServer.host} answers${login}; \`credsync notify --test\` sends a message`),
  ]
}

/** The kinds of notices about single pipelines. */
const ofPipelines: readonly NoticeKind[] = ['person', 'refused', 'missing', 'behind', 'stuck']

/** Kinds of notices that nobody would get: easily overlooked when a recipient or a pipeline is added or removed. */
function kindsWithoutRecipient({ notify, pipelines }: NotifyParts['settings']['file']): string[] {
  const to = notify?.to ?? {}
  const kinds = notify ? noticeKinds.filter((kind) => kind !== 'summary') : (['missing'] as const)
  return kinds.flatMap((kind) => {
    const names = Object.keys(pipelines).filter((name) => kind !== 'missing' || pipelines[name]?.expect)
    if (kind === 'missing' && names.length === 0) return []
    if (!isWanted(to, kind)) return [kind]
    const without = ofPipelines.includes(kind) ? names.filter((name) => !isWanted(to, kind, name)) : []
    return without.length > 0 ? [`${kind} (${without.join(', ')})`] : []
  })
}

/**
 * A notice of `check` about a course that already has credentials in the report but none in this ledger: its first list
 * would wait for a decision. Never a fault. Calls the service and reads the ledger.
 * @returns an empty list if there is nothing to report
 */
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
