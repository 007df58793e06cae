// Composes the message in which one recipient reads what has changed. Text, HTML and the other forms are made from the
// same words. Pure.

import type { WaitingNoticeChange } from '#src/extensions/notices/ledger/notice-messages.ts'
import type { NoticeKind } from '#src/extensions/notices/settings/notify-settings.ts'
import { oneLine, shortened } from '#src/platform/text.ts'
import { formatDuration } from '#src/platform/time/duration.ts'
import { describeNotice } from './describe-facts.ts'
import { factsOf, type RefusedListFacts } from './facts.ts'

export type NoticeChange = WaitingNoticeChange['change']

export interface Section {
  key: string
  kind: string
  pipeline: string | null
  change: NoticeChange
  /** When it began, in ISO 8601. */
  since: string
  title: string
  lines: string[]
}

export interface MessageWords {
  subject: string
  sections: Section[]
  /** Changes that follow in the next message, because this one would be too long. */
  more: number
  environment: string
  link: string | null
}

/** What comes first in a message, because it keeps most from working. */
const order: readonly NoticeKind[] = [
  'keys',
  'away',
  'erasure',
  'stuck',
  'behind',
  'missing',
  'refused',
  'person',
  'summary',
]
const changeOrder: readonly NoticeChange[] = ['opened', 'reminded', 'recovered', 'withdrawn']
const maxSections = 30
/** Mail programs show about this much, and some servers refuse lines that are far longer. */
const maxSubjectLength = 150
const maxLineLength = 500

/** The changes that are worth reading, one for each section of the message, with the ids of all that it settles. */
export function sortChanges(changes: readonly WaitingNoticeChange[]): JoinedChange[] {
  const lasting = new Set(changes.filter(({ change }) => !hasEnded(change)).map(({ key }) => key))
  const isOutdated = ({ key, change }: WaitingNoticeChange) => hasEnded(change) && lasting.has(key)
  // What ended and then began again has not ended.
  const [current, ended] = [changes.filter((each) => !isOutdated(each)), changes.filter(isOutdated)]
  const withEnd = (each: JoinedChange) => ({
    ...each,
    ids: [...each.ids, ...ended.flatMap(({ id, key }) => (key === each.key ? [id] : []))],
  })
  return joinRefusals(current)
    .map(withEnd)
    .toSorted(
      (a, b) =>
        changeOrder.indexOf(a.change) - changeOrder.indexOf(b.change) ||
        order.indexOf(a.kind as NoticeKind) - order.indexOf(b.kind as NoticeKind) ||
        a.since.getTime() - b.since.getTime(),
    )
}

export function composeMessage(
  changes: readonly WaitingNoticeChange[],
  { environment, link, now }: { environment: string; link: string | null; now: Date },
): MessageWords {
  const sections = sortChanges(changes).map((change) => sectionOf(change, now))
  const others = sections.length > 1 ? `, and ${sections.length - 1} more` : ''
  const prefix = environment === 'production' ? 'credsync' : `credsync (${environment})`
  return {
    subject: `${prefix}: ${shortened(sections[0]?.title ?? 'nothing', maxSubjectLength)}${others}`,
    sections: sections.slice(0, maxSections),
    more: Math.max(0, sections.length - maxSections),
    environment,
    link,
  }
}

const hasEnded = (change: NoticeChange) => change === 'recovered' || change === 'withdrawn'

function sectionOf(noticeChange: WaitingNoticeChange, now: Date): Section {
  const { key, kind, pipeline, change, since, at, facts } = noticeChange
  const { title, over, lines, since: began } = describeNotice(noticeChange)
  const isOver = change === 'recovered'
  const lasted = (hasEnded(change) ? at : now).getTime() - began.getTime()
  // A summary or a refused list is no trouble that lasts.
  const isMoment = kind === 'summary' || facts.about === 'refusal' || facts.about === 'refusedLists'
  const age = isMoment || lasted < 60_000 ? '' : ` (${hasEnded(change) ? 'after' : 'for'} ${formatDuration(lasted)})`
  const sentence = isOver ? (over ?? title) : title
  const isTroubleOver = isOver && kind !== 'summary'
  const prefix = isTroubleOver ? 'Over: ' : change === 'withdrawn' ? 'No longer watched: ' : ''
  // What to do is not worth reading any more.
  const shown = isTroubleOver ? [] : change === 'withdrawn' ? [`${facts.withdrawn}.`] : lines
  // Nothing from a file or from an answer may begin a new line, which could become a mail header.
  return {
    ...{ key, kind, pipeline, change, since: since.toISOString() },
    title: oneLine(`${prefix}${pipeline === null ? '' : `${pipeline}: `}${sentence}${age}`),
    lines: shown.map((line) => shortened(oneLine(line), maxLineLength)),
  }
}

/** Only counts, for a server that refuses the message for something in it. */
export function shortForm(words: MessageWords): MessageWords {
  const { subject, sections } = words
  // What follows in the next message has not been refused.
  const count = sections.length
  const kinds = [...Map.groupBy(sections, ({ kind }) => kind)].map(([kind, { length }]) => `${length} ${kind}`)
  const prefix = subject.slice(0, subject.indexOf(':'))
  return {
    ...words,
    subject: `${prefix}: ${count} notice${count === 1 ? '' : 's'} (${kinds.join(', ')}) that your server refused in full`,
    sections: [],
    more: count,
  }
}

const intro = 'What has to be known or done:'

/** The message as plain text. */
export function messageText({ sections, more, link, environment }: MessageWords): string {
  return [
    intro,
    '',
    ...sections.flatMap(({ title, lines }) => [`* ${title}`, ...lines.map((line) => `  ${line}`), '']),
    ...(more > 0 ? [moreLine(more, sections.length), ''] : []),
    ...(link === null ? [] : [link, '']),
    '-- ',
    footer(environment),
    '',
  ].join('\n')
}

export const messageIntro = intro

/** The line of a message for the notices that it does not describe. */
export function moreLine(count: number, shown: number): string {
  return shown > 0
    ? `and ${count} more follow. \`credsync notices\` shows what is open, \`credsync status\` the lists.`
    : `\`credsync notices\` says what ${count === 1 ? 'it is' : 'they are'}.`
}

export function footer(environment: string): string {
  return `Sent by credsync (${environment}). \`credsync notices\` shows what is open; docs/alerts.md explains the settings.`
}

/** A change that has a section of its own, or several that share one. */
type JoinedChange = WaitingNoticeChange & { ids: number[] }

/**
 * Joins what a message says about the refused lists of a pipeline: each of them is a notice of its own, and another one
 * says that the newest is refused.
 * @returns the changes, in which one for all refused lists of a pipeline replaces those for each of them
 */
function joinRefusals(changes: readonly WaitingNoticeChange[]): JoinedChange[] {
  const refusals = Map.groupBy(
    changes.filter((change) => factsOf(change).about === 'refusal'),
    ({ pipeline }) => pipeline,
  )
  const openings = changes.filter(
    (each) => each.change === 'opened' && factsOf(each).about === 'refused' && refusals.has(each.pipeline),
  )
  const joined = [...refusals].map(([pipeline, unsorted]) => {
    // Those of one round are in no particular order.
    const own = unsorted.toSorted((a, b) => a.since.getTime() - b.since.getTime())
    const [first, last] = [own[0], own.at(-1)] as [WaitingNoticeChange, WaitingNoticeChange]
    const facts = { about: 'refusedLists' as const, lists: own.map((each) => factsOf(each) as RefusedListFacts) }
    const opening = openings.find((opening) => opening.pipeline === pipeline)
    return {
      ...first,
      key: (opening ?? last).key,
      facts,
      ids: [...own, ...(opening ? [opening] : [])].map(({ id }) => id),
    }
  })
  const others = changes.filter((each) => !openings.includes(each) && factsOf(each).about !== 'refusal')
  return [...others.map((each) => ({ ...each, ids: [each.id] })), ...joined]
}
