// A message as an Adaptive Card, in the form that Teams workflows accept. Pure.

import { type MessageWords, moreLine, type Section } from '../word-message.ts'

/** Teams documents 28 kB, but refuses some messages of more than 21 kB. */
const maxBytes = 20_000
/** How many lines of a section are shown if it is too long alone. */
const fewLines = [20, 5, 0]

export function teamsMessage(words: MessageWords): string {
  const [first] = words.sections
  const whole = words.sections.map((_, left) =>
    cardMessage(words, words.sections.slice(0, words.sections.length - left)),
  )
  const shortened = first
    ? fewLines.map((count) => cardMessage(words, [{ ...first, lines: cut(first.lines, count) }]))
    : []
  return (
    [...whole, ...shortened].map((card) => JSON.stringify(card)).find(fits) ?? JSON.stringify(cardMessage(words, []))
  )
}

const fits = (text: string) => Buffer.byteLength(text) <= maxBytes

const cut = (lines: string[], count: number) => (lines.length > count ? [...lines.slice(0, count), '…'] : lines)

function cardMessage({ subject, sections, more, link }: MessageWords, shown: Section[]): object {
  const rest = more + sections.length - shown.length
  return {
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
            ...shown.flatMap(sectionBlocks),
            ...(rest > 0 ? [block(moreLine(rest, shown.length).replaceAll('`', ''), {})] : []),
          ],
          ...(link !== null && { actions: [{ type: 'Action.OpenUrl', title: 'Open', url: link }] }),
        },
      },
    ],
  }
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
