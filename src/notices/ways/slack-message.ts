// A message in the form of Slack's incoming webhooks. Pure.

import { type MessageWords, moreLine, type Section } from '../word-message.ts'

/** Slack refuses a message with more than 50 blocks, or with more than 3,000 characters in one of them. */
const maxBlocks = 45
const maxText = 2_900
const maxTitle = 500
/**
 * Of all blocks together, with what JSON adds. Slack does not document this limit. It refuses messages of 11,400 and more
 * characters of text as `msg_blocks_too_long`.
 */
const maxLength = 10_000

export function slackMessage(words: MessageWords): string {
  const { subject, sections } = words
  const blocksOf = (count: number) =>
    textsOf(words, count).map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } }))
  let count = Math.min(sections.length, maxBlocks)
  while (count > 1 && JSON.stringify(blocksOf(count)).length > maxLength) count--
  // `text` is shown in notifications; the blocks replace it in the channel.
  return JSON.stringify({ text: escapeText(subject), blocks: blocksOf(count) })
}

function textsOf({ subject, sections, more, link }: MessageWords, count: number): string[] {
  const rest = more + sections.length - count
  return [
    ...(count === 0 ? [escapeText(subject)] : sections.slice(0, count).map(sectionText)),
    ...(rest > 0 ? [moreLine(rest, count)] : []),
    ...(link === null ? [] : [`<${escapeText(link)}>`]),
  ]
}

function sectionText({ title, lines, change }: Section): string {
  const sign = change === 'recovered' ? ':white_check_mark:' : ':bell:'
  const heading = `${sign} *${escapeWithin(title, maxTitle)}*`
  return lines.length === 0 ? heading : `${heading}\n${escapeWithin(lines.join('\n'), maxText - heading.length - 1)}`
}

/** Cuts between whole characters, each of them escaped: half an entity or half a surrogate pair is no character. */
function escapeWithin(text: string, maxLength: number): string {
  const escaped = escapeText(text)
  if (escaped.length <= maxLength) return escaped
  let cut = ''
  for (const character of text) {
    const next = escapeText(character)
    if (cut.length + next.length >= maxLength) break
    cut += next
  }
  return `${cut}…`
}

/** Without this, `<!channel>` in a sentence would call everybody. An asterisk or underscore changes only the look. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
