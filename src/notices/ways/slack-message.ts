// A message in the form of Slack's incoming webhooks. Pure.

import { type MessageWords, moreLine, type Section } from '../word-message.ts'
import { fitMessage } from './fit-message.ts'

/** Slack refuses a message with more blocks than this, or with more than 3,000 characters in one of them. */
const maxBlocks = 50
const maxText = 2_900
/**
 * Of all blocks together, with what JSON adds. Slack does not document this limit. It refuses messages of 11,400 and more
 * characters of text as `msg_blocks_too_long`.
 */
const maxLength = 10_000

export function slackMessage(words: MessageWords): string {
  const message = fitMessage(words, {
    form: slackBlocks,
    fits: ({ blocks }) => blocks.length <= maxBlocks && JSON.stringify(blocks).length <= maxLength,
    isShort: (section) => sectionText(section).length <= maxText,
  })
  return JSON.stringify(message)
}

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
