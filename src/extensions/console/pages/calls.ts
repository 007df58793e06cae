// How the service is doing: what is in the way, how far the report is behind, and the latest calls by their outcome.

import type { CallCounts } from '#src/extensions/console/ledger/overview.ts'
import type { ReportMetrics } from '#src/ledger/metrics/work-metrics.ts'
import { bad, callouts, facts, figure, label, nothing, numbers, rowName, section, table } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { asSentence, sentence } from '../html/sentences.ts'
import { formatSpan } from '../html/times.ts'
import { type Answer, type Console, page } from '../visit.ts'

const hourMs = 3_600_000

export async function servicePage({ parts, times }: Console): Promise<Answer> {
  const { consoleReadings } = parts.ledger
  const obstacles = await consoleReadings.obstacles()
  const report = await consoleReadings.report()
  const callsOfLast = (ms: number) => consoleReadings.calls(new Date(parts.clock.now().getTime() - ms))
  const spans = [
    ['The last hour', await callsOfLast(hourMs)],
    ['The last day', await callsOfLast(24 * hourMs)],
  ] as const
  return page({
    title: 'Service',
    lead: 'Calls that issue credentials, what became of them, and how far the report is behind.',
    body: html`${obstacles.length > 0 && section('What is in the way', callouts(obstacles.map(({ detail, since }) => bad(sentence(asSentence(detail), times), html`Since ${times.at(since)}.`))))}
${section('The report', reportFacts(report))}
${section('Calls', spans.some(([, { calls }]) => calls > 0) ? callTable(spans) : nothing('No call was made in the last day.'))}`,
  })
}

function reportFacts({ readAgoS, overdueS, lagS, unseenS }: ReportMetrics): Markup {
  const span = (seconds: number) => formatSpan(seconds * 1_000)
  return facts([
    ['Last read completely', readAgoS === null ? 'never yet' : `${span(readAgoS)} ago`],
    ['Next reading', overdueS > 60 ? html`${label('late', 'warn')} by ${span(overdueS)}` : 'in time'],
    ['A call appears after', lagS === null ? 'not known yet' : span(lagS)],
    ['Oldest call that has not appeared', unseenS > 0 ? span(unseenS) : 'none'],
  ])
}

const counted = ['calls', 'recipients', 'accepted', 'refused', 'throttled', 'unknown'] as const

function callTable(spans: readonly (readonly [title: string, counts: CallCounts])[]) {
  return table(
    'Calls by outcome',
    [rowName('When'), ...counted.map((name) => numbers(name.charAt(0).toUpperCase() + name.slice(1)))],
    spans.map(([title, counts]) => [title, ...counted.map((name) => figure(counts[name]))]),
  )
}
