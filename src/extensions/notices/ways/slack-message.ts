// A message in the form of Slack's incoming webhooks. Pure.

import { type MessageWords, moreLine, type Section } from '../word-message.ts'
import { trimWords } from './trim-words.ts'

/** Slack refuses a message with more blocks than this, or with more than 3,000 characters in one of them. */
const maxBlocks = 50
const maxText = 2_900
/**
 * Of all blocks together, with what JSON adds. Slack does not document this limit. It refuses messages of 11,400 and more
 * characters of text as `msg_blocks_too_long`.
 */
const maxLength = 10_000

export function trimForSlack(words: MessageWords): MessageWords {
  return trimWords(words, {
    fits(shorter) {
      const { blocks } = slackBlocks(shorter)
      return blocks.length <= maxBlocks && JSON.stringify(blocks).length <= maxLength
    },
    isShort: (section) => sectionText(section).length <= maxText,
  })
}

/** @param words trimmed or not, as those of an earlier version are */
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
