// Posts messages to Slack, to Teams, and to systems of the customer's own, each in its own form. The address of a hook
// is a secret, so problems name its host only.

import type { RecipientSettings } from '#src/extensions/notices/settings/notify-settings.ts'
import type { LmsHttp } from '#src/platform/http/http-client.ts'
import { isSuccessStatus } from '#src/platform/http/success-status.ts'
import { Secret } from '#src/platform/secret.ts'
import { signStandardWebhook } from '#src/platform/sign-standard-webhook.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import type { MessageWords } from '../word-message.ts'
import { slackMessage, trimForSlack } from './slack-message.ts'
import { teamsMessage, trimForTeams } from './teams-message.ts'
import type { OutgoingMessage, Way } from './way.ts'

export interface HookTools {
  send: LmsHttp['send']
  clock: Pick<Clock, 'now'>
}

const timeoutMs = 15_000
/** How Slack, Teams and others answer a message that they cannot read, or that is too large. */
const refusals = [400, 413, 422]

/** @returns null for a recipient that is reached by e-mail */
export function hookOf(tools: HookTools, recipient: RecipientSettings): Way | null {
  const { slack, teams, webhook, secret } = recipient
  if (slack !== undefined)
    return hook(tools, 'slack', slack, { trim: trimForSlack, form: ({ words }) => ({ body: slackMessage(words) }) })
  if (teams !== undefined)
    return hook(tools, 'teams', teams, { trim: trimForTeams, form: ({ words }) => ({ body: teamsMessage(words) }) })
  if (webhook === undefined || secret === undefined) return null
  return hook(tools, 'webhook', webhook, {
    trim: (words) => words,
    form({ id, createdAt, words }) {
      const body = webhookBody(words, createdAt)
      const at = tools.clock.now()
      return { body, headers: signStandardWebhook({ id: `credsync_${id}`, at, body, secret: new Secret(secret) }) }
    },
  })
}

function hook(
  { send }: HookTools,
  kind: Way['kind'],
  url: string,
  {
    trim,
    form,
  }: Pick<Way, 'trim'> & { form(message: OutgoingMessage): { body: string; headers?: Record<string, string> } },
): Way {
  const { host } = new URL(url)
  return {
    kind,
    description: `${kind} at ${host}`,
    trim,
    async send(message) {
      const { body, headers } = form(message)
      const answer = await send({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...headers },
        body,
        deadlineMs: timeoutMs,
        ignoreBody: true,
      })
      if (answer.kind === 'failed')
        return { kind: 'failed', problem: `${host} did not answer (${answer.code}): check the address and the network` }
      if (isSuccessStatus(answer.status)) return { kind: 'delivered', problem: null }
      return {
        kind: refusals.includes(answer.status) ? 'refused' : 'failed',
        problem: `${host} did not accept the message (HTTP ${answer.status})${advice(answer.status)}`,
      }
    },
  }
}

function advice(status: number): string {
  if (status === 404 || status === 410) return ': the hook was removed; make another one'
  if (status === 401 || status === 403) return ': the address or its secret is no longer valid'
  return ''
}

/** The body of the signed webhook. Members may be added over time, but never changed. */
export function webhookBody({ subject, sections, more, environment, link }: MessageWords, createdAt: Date): string {
  return JSON.stringify({
    type: 'notice',
    timestamp: createdAt.toISOString(),
    data: { environment, subject, notices: sections, more, link },
  })
}
