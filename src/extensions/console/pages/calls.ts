// How the service does: the calls of the last hour and of the last day by their outcome, the limits, and the report.

import type { CallSpan } from '#src/extensions/console/ledger/overview.ts'
import { callouts, facts, figure, label, section, table, words } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { asSentence, sentence } from '../html/sentences.ts'
import { formatSpan } from '../html/times.ts'
import { type Answer, type Console, page, type Visit } from '../visit.ts'

const hour = { title: 'The last hour', spanMs: 5 * 60_000, spans: 12, each: 'five minutes' }
const day = { title: 'The last day', spanMs: 3_600_000, spans: 24, each: 'an hour' }

export async function servicePage(console: Console, _visit: Visit): Promise<Answer> {
  const { consoleReadings } = console.parts.ledger
  const now = console.parts.clock.now()
  const obstacles = await consoleReadings.obstacles()
  const spans = [
    { ...hour, calls: await consoleReadings.calls(now, hour) },
    { ...day, calls: await consoleReadings.calls(now, day) },
  ]
  const report = await consoleReadings.report()
  return page({
    title: 'Service',
    lead: html`Calls that issue credentials, what became of them, and how far the report is behind.`,
    body: html`${obstacles.length > 0 ? section('What is in the way', callouts(obstacles.map(({ detail, since }) => ({ tone: 'bad' as const, title: sentence(asSentence(detail), console.times), detail: html`Since ${console.times.at(since)}.` })))) : null}
${section('The report', reportFacts(report))}
${spans.map(({ title, calls, spanMs, spans: count, each }) => section(title, callsPart(console, title, calls, { now, spanMs, count, each })))}
${section('Limits', gateTable(console), 'As this worker sees them. A gate is closed for a moment after the service returned 429.')}`,
  })
}

function reportFacts(report: {
  readAgoS: number | null
  overdueS: number
  lagS: number | null
  unseenS: number
}): Markup {
  const ago = (seconds: number | null, never: string) =>
    words(seconds === null ? never : `${formatSpan(seconds * 1_000)} ago`)
  return facts([
    ['Read completely', ago(report.readAgoS, 'never yet')],
    [
      'Next reading',
      report.overdueS > 60
        ? html`${label('late', 'warn')} by ${formatSpan(report.overdueS * 1_000)}`
        : words('in time'),
    ],
    ['Shows a call after', words(report.lagS === null ? 'not known yet' : formatSpan(report.lagS * 1_000))],
    ['Oldest call not shown', words(report.unseenS > 0 ? formatSpan(report.unseenS * 1_000) : 'none')],
  ])
}

const kinds = ['accepted', 'refused', 'throttled', 'unknown'] as const

function callsPart(
  { times }: Console,
  title: string,
  calls: readonly CallSpan[],
  { now, spanMs, count, each }: { now: Date; spanMs: number; count: number; each: string },
): Markup {
  if (calls.length === 0) return html`<p class="nothing">No call was made.</p>`
  const most = Math.max(...calls.map((span) => span.calls), 1)
  const total = calls.reduce((sum, span) => sum + span.calls, 0)
  const rows = calls.map((span) => [
    times.at(new Date(now.getTime() - (span.ago + 1) * spanMs)),
    figure(span.calls),
    figure(span.recipients),
    ...kinds.map((kind) => figure(span[kind])),
  ])
  return html`<figure class="chart"><svg viewBox="0 0 ${String(count * 20)} 104" preserveAspectRatio="none" role="img" aria-label="${title}: ${String(total)} calls, at most ${String(most)} in ${each}">${calls.map((span) => column(span, count, most))}<line class="axis" x1="0" x2="${String(count * 20)}" y1="102" y2="102"></line></svg>
<figcaption>Calls in ${each}, at most ${String(most)}, the latest on the right. <span class="key accepted">accepted</span> <span class="key refused">refused</span> <span class="key throttled">throttled (429)</span> <span class="key unknown">outcome unknown</span></figcaption></figure>
<details><summary>As a table</summary>${table(
    `${title}: calls by outcome`,
    [
      { title: 'From', names: true },
      { title: 'Calls', numeric: true },
      { title: 'Recipients', numeric: true },
      ...kinds.map((kind) => ({ title: kind.charAt(0).toUpperCase() + kind.slice(1), numeric: true })),
    ],
    rows,
  )}</details>`
}

/** The calls of one span, stacked: what went well at the bottom. */
function column(span: CallSpan, count: number, most: number): Markup {
  const x = (count - 1 - span.ago) * 20 + 3
  let y = 102
  const other = span.calls - kinds.reduce((sum, kind) => sum + span[kind], 0)
  const drawn = [...kinds.map((kind) => [kind, span[kind]] as const), ['running', other] as const].map(
    ([kind, number]) => {
      const height = (number / most) * 100
      y -= height
      return (
        number > 0 &&
        html`<rect class="call ${kind}" x="${String(x)}" y="${y.toFixed(1)}" width="14" height="${height.toFixed(1)}"></rect>`
      )
    },
  )
  return drawn
}

function gateTable({ parts }: Console): Markup {
  const { general, auth } = parts.settings.file.service.limits
  const gates = Object.entries(parts.gates.report()).filter(([, counts]) => counts.sent + counts.waiting > 0)
  if (gates.length === 0) return html`<p class="nothing">This worker has made no request yet.</p>`
  return table(
    'Requests of this worker at each gate',
    [
      { title: 'Gate', names: true },
      { title: 'Last second', numeric: true },
      { title: 'Limit a second', numeric: true },
      { title: 'Waiting', numeric: true },
      { title: 'Since the start', numeric: true },
      { title: 'State' },
    ],
    gates.map(([name, counts]) => [
      name,
      figure(counts.lastSecond),
      figure(name === 'auth' ? auth : general),
      figure(counts.waiting),
      figure(counts.sent),
      counts.paused ? label('closed', 'warn') : label('open', 'good'),
    ]),
  )
}
