// The first page: what needs a person, what is under way, the last list of each pipeline, and whether the worker and the
// service are well.

import type { ExpectSettings } from '#config/expect-settings.ts'
import { lmsProblemLines } from '#src/issuing/descriptions/learning-system-lines.ts'
import { countOf } from '#src/issuing/results/counted-noun.ts'
import { sendingStoppedMessage } from '#src/ledger/attempts/sending-stopped-message.ts'
import { mostHeldCounted } from '#src/ledger/console/overview.ts'
import type { ListedRun } from '#src/ledger/console/run-pages.ts'
import { describeNotice } from '#src/notices/describe-facts.ts'
import { callouts, nothing, section, type Tone, table, words } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { asSentence, sentence } from '../html/sentences.ts'
import { type Answer, type Console, page, scopeOf, type Visit, visibleOf } from '../visit.ts'
import { phaseLabel, progressWords, runCells, runColumns } from './run-words.ts'

const dayMs = 86_400_000
/** A refusal is old news after this. */
const refusedShownMs = 3 * dayMs
const mostShown = 10

interface Callout {
  tone: Tone
  title: Markup
  detail?: Markup
  href?: string
}

export async function overviewPage(console: Console, visit: Visit): Promise<Answer> {
  const body = await overviewBody(console, visit)
  const live = `${console.address.base}/overview`
  return page({ title: 'Overview', body: html`<div data-live="${live}" data-every="10">${body}</div>` })
}

export async function overviewFragment(console: Console, visit: Visit): Promise<Answer> {
  return { kind: 'fragment', body: await overviewBody(console, visit), isLast: false }
}

async function overviewBody(console: Console, { visitor }: Visit): Promise<Markup> {
  const { parts, address, times } = console
  const { runPages, consoleReadings } = parts.ledger
  const scope = scopeOf(visitor)
  const pipelines = visibleOf(parts.pipelines.names, visitor)
  const [callouts_, unsettled, lists, workers] = [
    await calloutsFor(console, scope),
    await runPages.unsettled(scope, mostShown + 1),
    await runPages.lastLists(pipelines),
    await consoleReadings.workers(),
  ]
  const underWay = unsettled.filter((run) => run.state !== 'braked')
  return html`
${section('Needs a person', callouts_.length > 0 ? callouts(callouts_) : nothing('Nothing. Everything that can go on by itself does.'))}
${underWay.length > 0 && section('Under way', underWayList(console, underWay))}
${section(
  'The last list of each pipeline',
  lists.length > 0
    ? table(
        'The last list of each pipeline',
        [...runColumns, { title: 'Expected' }],
        lists.map((run) => [
          ...runCells(run, { base: address.base, times }),
          words(expectedWords(parts.settings.file.pipelines[run.pipeline]?.expect)),
        ]),
      )
    : nothing('No list has come yet.'),
)}
${section(
  'Workers',
  workers.length > 0
    ? table(
        'Running workers',
        [{ title: 'Host', names: true }, { title: 'Process', numeric: true }, { title: 'Running since' }],
        workers.map((worker) => [words(worker.host), words(worker.pid), times.at(worker.startedAt)]),
      )
    : nothing('No worker is running: inboxes and open rows wait for one.'),
)}`
}

function underWayList({ address, times }: Console, runs: readonly ListedRun[]): Markup {
  const items = runs
    .slice(0, mostShown)
    .map(
      (run) =>
        html`<li><a href="${address.base}/runs/${run.id}">${run.sourceName}</a> <span class="remark">${run.pipeline}, ${times.at(run.receivedAt)}</span><span class="right">${run.state === 'published' ? progressWords(run) : phaseLabel(run)}</span></li>`,
    )
  const more = runs.length > mostShown && html`<p><a href="${address.base}/runs?state=open">All open runs</a></p>`
  return html`<ul class="lines">${items}</ul>${more}`
}

async function calloutsFor(console: Console, scope: readonly string[] | null): Promise<Callout[]> {
  const { ledger } = console.parts
  const isVisible = (pipeline: string | null) => scope === null || (pipeline !== null && scope.includes(pipeline))
  const [stops, needed, revocations, obstacles] = [
    await ledger.sendingStops.stops(),
    await ledger.consoleReadings.needed(scope),
    scope === null ? await ledger.revocations.toDecide() : [],
    await ledger.consoleReadings.obstacles(),
  ]
  const { base } = console.address
  const { times } = console
  const heldRows = needed.held.reduce((sum, { rows }) => sum + rows, 0)
  return [
    ...stops.map((stop) => ({
      tone: 'bad' as const,
      title: words('Nothing is sent'),
      detail: sentence(`${sendingStoppedMessage(stop)}.`, times),
    })),
    ...obstacles.map(({ subject, detail, since }) => ({
      tone: 'bad' as const,
      title: words(
        subject === 'issue' || subject === 'reconcile' ? 'The service cannot be used' : 'A worker cannot go on',
      ),
      detail: html`${sentence(asSentence(detail), times)} Since ${times.at(since)}.`,
      href: `${base}/service`,
    })),
    ...(await braked(console, scope)),
    ...(heldRows > 0
      ? [
          {
            tone: 'warn' as const,
            title: words(
              heldRows >= mostHeldCounted
                ? `At least ${mostHeldCounted} rows are held`
                : `${countOf(heldRows, 'row')} ${heldRows === 1 ? 'is' : 'are'} held`,
            ),
            detail: words(
              `An operator must decide about ${heldRows === 1 ? 'it' : 'them'}: ${needed.held.map(({ pipeline, rows }) => `${rows} of ${pipeline}`).join(', ')}.`,
            ),
            href: `${base}/held`,
          },
        ]
      : []),
    ...needed.changes.map(({ pipeline, count, since }) => ({
      tone: 'warn' as const,
      title: words(
        `${countOf(count, 'changed row')} of ${pipeline} ${count === 1 ? 'waits' : 'wait'} for a correction`,
      ),
      detail: html`The data differ from the credential. The oldest came ${times.at(since)}; ${html`<code>credsync correct</code>`} lists them.`,
    })),
    ...(revocations.length > 0
      ? [
          {
            tone: 'warn' as const,
            title: words(
              `${countOf(revocations.length, 'revocation')} ${revocations.length === 1 ? 'needs' : 'need'} a decision`,
            ),
            detail: html`<code>credsync held</code> lists ${revocations.length === 1 ? 'it' : 'them'}.`,
          },
        ]
      : []),
    ...(await refused(console, scope)),
    ...(await noticed(console, isVisible)),
    ...(await sources(console, scope, isVisible)),
  ]
}

async function braked({ parts, address, times }: Console, scope: readonly string[] | null): Promise<Callout[]> {
  const runs = await parts.ledger.runPages.page({ scope, phase: 'braked' }, { before: null, limit: mostShown })
  return runs.map((run) => ({
    tone: 'warn',
    title: words(`The brake holds ${run.sourceName}`),
    detail: html`${sentence(run.brakedBecause ?? '', times)} Nothing of it was issued (${run.pipeline}, ${times.at(run.receivedAt)}).`,
    href: `${address.base}/runs/${run.id}`,
  }))
}

async function refused({ parts, address, times }: Console, scope: readonly string[] | null): Promise<Callout[]> {
  const from = new Date(parts.clock.now().getTime() - refusedShownMs)
  const runs = await parts.ledger.runPages.page({ scope, phase: 'refused', from }, { before: null, limit: mostShown })
  return runs.map((run) => ({
    tone: 'bad',
    title: words(`${run.sourceName} was refused`),
    detail: html`${sentence(run.refusal ?? '', times)} (${run.pipeline}, ${times.at(run.receivedAt)})`,
    href: `${address.base}/runs/${run.id}`,
  }))
}

/** What only a look at the clock or at the whole shows. The others have lines of their own. */
const noticedKinds = ['missing', 'away', 'keys', 'behind', 'stuck']

async function noticed({ parts, times }: Console, isVisible: (pipeline: string | null) => boolean): Promise<Callout[]> {
  const notices = await parts.ledger.notices.shown()
  return notices
    .filter(({ kind, pipeline }) => noticedKinds.includes(kind) && isVisible(pipeline))
    .map((notice) => {
      const { title, lines, since } = describeNotice(notice)
      const where = notice.pipeline === null ? '' : `${notice.pipeline}: `
      return {
        tone: 'warn',
        title: words(asSentence(`${where}${title}`)),
        detail: html`${lines.map((line) => html`${sentence(line, times)} `)}Since ${times.at(since)}.`,
      }
    })
}

async function sources(
  { parts, address, times }: Console,
  scope: readonly string[] | null,
  isVisible: (pipeline: string | null) => boolean,
): Promise<Callout[]> {
  const inboxes = (await parts.ledger.inboxes.statuses()).filter(
    ({ pipeline, problem, leftLying }) => isVisible(pipeline) && (problem !== null || leftLying !== null),
  )
  const systems = scope === null ? lmsProblemLines(await parts.ledger.learningSystems.statuses(), []) : []
  return [
    ...inboxes.map(({ pipeline, problem, leftLying }) => ({
      tone: 'warn' as const,
      title: words(
        problem === null
          ? `${countOf(leftLying?.count ?? 0, 'file')} in the inbox of ${pipeline} ${leftLying?.count === 1 ? 'is' : 'are'} not taken`
          : `The inbox of ${pipeline} cannot be used`,
      ),
      detail: sentence(
        problem ??
          leftLying?.examples
            .slice(0, 3)
            .map(({ name, why }) => `${name}: ${why}`)
            .join('; ') ??
          '',
        times,
      ),
      href: `${address.base}/pipelines#${pipeline}`,
    })),
    ...systems.map((line) => ({
      tone: 'warn' as const,
      title: words('A learning system needs attention'),
      detail: sentence(asSentence(line), times),
    })),
  ]
}

export function expectedWords(expect: ExpectSettings | undefined): string {
  if (!expect) return '–'
  if ('within' in expect) return `every ${expect.within}`
  return `by ${expect.by} (${expect.timeZone})${expect.days === 'mon-sun' ? '' : `, ${expect.days}`}`
}
