// Says what nobody is notified of, and who would be notified twice: both are easily overlooked when a recipient is added or
// removed. Pure.

import type { FileSettings } from '#config/schema.ts'
import { recipientsOf } from '#src/extensions/notices/notice-steps.ts'
import {
  type NoticeKind,
  noticeKinds,
  type RecipientSettings,
} from '#src/extensions/notices/settings/notify-settings.ts'

type CoverageSettings = Pick<FileSettings, 'notify' | 'pipelines'>

/** Kinds of notices that can be about one pipeline. Of `missing`, only those with `expect` are. */
const pipelineKinds: readonly NoticeKind[] = ['person', 'refused', 'behind', 'stuck']

export function coverageNotices({ notify, pipelines }: CoverageSettings): string[] {
  const to = notify?.to ?? {}
  const isHeard = (kind: NoticeKind, pipeline: string | null) =>
    recipientsOf(to, { kind, pipeline, facts: { about: 'test' } }).length > 0
  const expecting = Object.keys(pipelines).filter((name) => pipelines[name]?.expect)
  const unheard = expecting.filter((name) => !isHeard('missing', name))
  return [
    ...(unheard.length > 0
      ? [
          `nobody is notified if what is expected of ${unheard.join(', ')} does not come: add \`missing\` to a recipient, or remove \`expect\``,
        ]
      : []),
    ...(notify ? [...unheardKinds(Object.keys(pipelines), isHeard), ...recipientNotices(to)] : []),
  ]
}

function unheardKinds(
  pipelines: readonly string[],
  isHeard: (kind: NoticeKind, pipeline: string | null) => boolean,
): string[] {
  const watched: readonly NoticeKind[] = noticeKinds.filter((kind) => kind !== 'summary' && kind !== 'missing')
  const nowhere = watched.filter((kind) => !isHeard(kind, null))
  const inPart = pipelineKinds.filter((kind) => !nowhere.includes(kind))
  const byKinds = Map.groupBy(pipelines, (name) => inPart.filter((kind) => !isHeard(kind, name)).join(', '))
  return [
    ...(nowhere.length > 0 ? [`nobody is notified of: ${nowhere.join(', ')}`] : []),
    ...[...byKinds].flatMap(([kinds, names]) =>
      kinds === '' ? [] : [`about ${names.join(', ')}, nobody is notified of: ${kinds}`],
    ),
  ]
}

function recipientNotices(to: Record<string, RecipientSettings>): string[] {
  const recipients = Object.entries(to)
  const idle = recipients.filter(([, { pipelines }]) => pipelines?.length === 0)
  const pairs = recipients.flatMap(([name, recipient], index) =>
    recipients
      .slice(index + 1)
      .filter(([, other]) => isSameWay(recipient, other) && sharesNotices(recipient, other))
      .map(([other]) => `${name} and ${other} reach the same address, which gets some notices twice`),
  )
  return [
    ...idle.map(
      ([name]) =>
        `${name} is notified of no pipeline, because its \`pipelines\` is empty: leave it out for all of them`,
    ),
    ...pairs,
  ]
}

function isSameWay(one: RecipientSettings, other: RecipientSettings): boolean {
  const addressesOf = ({ email = [], slack, teams, webhook }: RecipientSettings) =>
    [...email.map((address) => address.toLowerCase()), slack, teams, webhook].filter((each) => each !== undefined)
  return addressesOf(one).some((address) => addressesOf(other).includes(address))
}

function sharesNotices(one: RecipientSettings, other: RecipientSettings): boolean {
  const shares = <T>(a: readonly T[], b: readonly T[]) => a.some((each) => b.includes(each))
  const kinds = ({ on }: RecipientSettings): readonly NoticeKind[] =>
    noticeKinds.filter((kind) => on.includes('all') || on.includes(kind))
  const general: readonly NoticeKind[] = noticeKinds.filter((kind) => !['summary', 'refused', 'missing'].includes(kind))
  const both = kinds(one).filter((kind) => kinds(other).includes(kind))
  return (
    shares(both, general) ||
    (both.length > 0 && (!one.pipelines || !other.pipelines || shares(one.pipelines, other.pipelines)))
  )
}
