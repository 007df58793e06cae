// A message in the form of Slack's incoming webhooks. Pure.

import type { MessageWords, Section } from '../word-message.ts'

/** Slack refuses a message with more than 50 blocks, or with a longer text in one of them. */
const maxBlocks = 45
const maxText = 2_900

export function slackMessage({ subject, sections, more, link }: MessageWords): string {
  const shown = sections.slice(0, maxBlocks)
  const rest = more + sections.length - shown.length
  const texts = [
    ...shown.map(sectionText),
    ...(rest > 0 ? [`and ${rest} more: \`credsync notices\` shows what is open, \`credsync status\` the lists.`] : []),
    ...(link === null ? [] : [`<${escapeText(link)}>`]),
  ]
  return JSON.stringify({
    // Shown in notifications; the blocks replace it in the channel.
    text: escapeText(subject),
    blocks: texts.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text: text.slice(0, maxText) } })),
  })
}

function sectionText({ title, lines, change }: Section): string {
  const sign = change === 'recovered' ? ':white_check_mark:' : ':bell:'
  return [`${sign} *${escapeText(title)}*`, ...lines.map(escapeText)].join('\n')
}

/** Without this, `<!channel>` in a sentence would call everybody. An asterisk or underscore changes only the look. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
