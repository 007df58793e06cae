// Posts messages to Slack, to Teams, and to systems of the customer's own, each in its own form. The address of a hook
// is a secret, so problems name its host only.

import { type MessageWords, moreLine, type Section } from '#src/extensions/notices/compose-message.ts'
import type { RecipientSettings } from '#src/extensions/notices/settings/notify-settings.ts'
import type { LmsHttp } from '#src/platform/http/http-client.ts'
import { isSuccessStatus } from '#src/platform/retry-after.ts'
import { Secret } from '#src/platform/secret.ts'
import { signStandardWebhook } from '#src/platform/sign-standard-webhook.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { type Channel, type OutgoingMessage, trimWords } from './channel.ts'

export interface HookTools {
  send: LmsHttp['send']
  clock: Pick<Clock, 'now'>
}

const timeoutMs = 15_000
/** How Slack, Teams and others answer a message that they cannot read, or that is too large. */
const refusals = [400, 413, 422]

/** @returns null for a recipient that is reached by e-mail */
export function hookOf(tools: HookTools, recipient: RecipientSettings): Channel | null {
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
  kind: Channel['kind'],
  url: string,
  {
    trim,
    form,
  }: Pick<Channel, 'trim'> & { form(message: OutgoingMessage): { body: string; headers?: Record<string, string> } },
): Channel {
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

/** Slack refuses a message with more blocks than this, or with more than 3,000 characters in one of them. */
const maxBlocks = 50
const maxText = 2_900
/**
 * Of all blocks together, with what JSON adds. Slack does not document this limit. It refuses messages of 11,400 and
 * more characters of text as `msg_blocks_too_long`.
 */
const maxLength = 10_000

const trimForSlack = (words: MessageWords) =>
  trimWords(words, (shorter) => {
    const { blocks } = slackBlocks(shorter)
    const areShort = blocks.every(({ text }) => text.text.length <= maxText)
    return areShort && blocks.length <= maxBlocks && JSON.stringify(blocks).length <= maxLength
  })

/**
 * A message in the form of Slack's incoming webhooks.
 * @param words trimmed or not: those that an earlier version composed may be too long
 */
export const slackMessage = (words: MessageWords): string => JSON.stringify(slackBlocks(trimForSlack(words)))

function slackBlocks({ subject, sections, more, link }: MessageWords) {
  const texts = [
    ...(sections.length === 0 ? [escapeText(subject)] : sections.map(sectionText)),
    ...(more > 0 ? [moreLine(more, sections.length)] : []),
    ...(link === null ? [] : [`<${escapeText(link)}>`]),
  ]
  // `text` is shown in notifications; the blocks replace it in the channel.
  return {
    text: escapeText(subject),
    blocks: texts.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } })),
  }
}

function sectionText({ title, lines, change }: Section): string {
  const sign = change === 'recovered' ? ':white_check_mark:' : ':bell:'
  return [`${sign} *${escapeText(title)}*`, ...lines.map(escapeText)].join('\n')
}

/** Without this, `<!channel>` in a sentence would call everybody. An asterisk or underscore changes only the look. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Teams documents 28 kB, but refuses some messages of more than 21 kB. */
const maxBytes = 20_000

const trimForTeams = (words: MessageWords) =>
  trimWords(words, (shorter) => Buffer.byteLength(card(shorter)) <= maxBytes)

/**
 * A message as an Adaptive Card, in the form that Teams workflows accept.
 * @param words trimmed or not: those that an earlier version composed may be too long
 */
export const teamsMessage = (words: MessageWords): string => card(trimForTeams(words))

function card({ subject, sections, more, link }: MessageWords): string {
  return JSON.stringify({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          fallbackText: subject,
          msteams: { width: 'Full' },
          body: [
            block(subject, { weight: 'Bolder', size: 'Medium' }),
            ...sections.flatMap(sectionBlocks),
            ...(more > 0 ? [block(moreLine(more, sections.length).replaceAll('`', ''), {})] : []),
          ],
          ...(link !== null && { actions: [{ type: 'Action.OpenUrl', title: 'Open', url: link }] }),
        },
      },
    ],
  })
}

function sectionBlocks({ title, lines, change }: Section): object[] {
  return [
    block(title, { weight: 'Bolder', separator: true, color: change === 'recovered' ? 'Good' : 'Default' }),
    ...lines.map((line) => block(line, { spacing: 'Small' })),
  ]
}

/** The card's text is Markdown, so the characters that make links and emphasis are escaped. */
function block(text: string, style: object): object {
  return { type: 'TextBlock', text: text.replace(/[\\[\]*_<>]/g, '\\$&'), wrap: true, ...style }
}
