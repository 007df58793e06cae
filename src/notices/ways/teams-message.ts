// A message as an Adaptive Card, in the form that Teams workflows accept. Pure.

import type { MessageWords, Section } from '../word-message.ts'

/** Teams refuses a message of more than 28 kB. */
const maxBytes = 24_000

export function teamsMessage(words: MessageWords): string {
  for (let count = words.sections.length; ; count--) {
    const text = JSON.stringify(cardMessage(words, count))
    if (Buffer.byteLength(text) <= maxBytes || count === 0) return text
  }
}

function cardMessage({ subject, sections, more, link }: MessageWords, count: number): object {
  const rest = more + sections.length - count
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
            ...sections.slice(0, count).flatMap(sectionBlocks),
            ...(rest > 0
              ? [block(`and ${rest} more: credsync notices shows what is open, credsync status the lists.`, {})]
              : []),
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
