// A message as an Adaptive Card, in the form that Teams workflows accept. Pure.

import { type MessageWords, moreLine, type Section } from '../word-message.ts'
import { trimWords } from './trim-words.ts'

/** Teams documents 28 kB, but refuses some messages of more than 21 kB. */
const maxBytes = 20_000

export function trimForTeams(words: MessageWords): MessageWords {
  return trimWords(words, {
    fits,
    // With the line that counts the others.
    isShort: (section) => fits({ ...words, sections: [section], more: words.more + words.sections.length }),
  })
}

const fits = (words: MessageWords) => Buffer.byteLength(card(words)) <= maxBytes

/** @param words trimmed or not, as those of an earlier version are */
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
