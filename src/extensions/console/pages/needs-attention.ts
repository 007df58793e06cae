// What needs attention, each with where to go: the brake, held and changed rows, refused files, what is in the way.

import { mostHeldCounted, type NeededDecisions } from '#src/extensions/console/ledger/overview.ts'
import type { ListedRun, PipelineScope } from '#src/extensions/console/ledger/run-pages.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import { sendingStoppedMessage } from '#src/ledger/attempts/sending-stopped-message.ts'
import { doesOneOf } from '#src/ledger/workers/worker-registration.ts'
import { bad, type Callout, warning } from '../html/elements.ts'
import { html } from '../html/markup.ts'
import { asSentence, sentence } from '../html/sentences.ts'
import { type Console, decides, revokes, scopeOf, type Visit } from '../visit.ts'
import { failedCorrections, ofEarlierLists, ofLastLists } from './rows-without-credential.ts'

const dayMs = 86_400_000
/** A refusal is old news after this. */
const refusedShownMs = 3 * dayMs
const mostShown = 10

/** @param lists the last one of each pipeline that the visitor sees */
export async function needsAttention(
  console: Console,
  { visitor }: Pick<Visit, 'visitor'>,
  lists: readonly ListedRun[],
): Promise<Callout[]> {
  const { base } = console.address
  const { ledger } = console.parts
  const scope = scopeOf(visitor)
  const isVisible = (pipeline: string | null) => scope === null || (pipeline !== null && scope.includes(pipeline))
  const needed = await ledger.consoleReadings.needed(scope)
  const revocations = revokes(visitor) ? (await ledger.revocations.toDecide()).length : 0
  return [
    ...(await inTheWay(console)),
    ...failedCorrections(console, needed.corrections),
    ...(await braked(console, scope)),
    ...heldRows(console, needed.held),
    ...needed.changes.map(({ pipeline, count, since }) =>
      warning(
        `${countOf(count, 'changed row')} of ${pipeline} ${count === 1 ? 'waits' : 'wait'} for a correction`,
        html`The data differ from the credential. The oldest came ${console.times.at(since)}. An operator decides about ${count === 1 ? 'it' : 'them'}.`,
        decides(visitor) ? `${base}/corrections` : undefined,
      ),
    ),
    ...(revocations > 0
      ? [
          warning(
            `${countOf(revocations, 'revocation')} ${revocations === 1 ? 'needs' : 'need'} a decision`,
            'They had no effect, or their outcome is unclear.',
            `${base}/held`,
          ),
        ]
      : []),
    ...ofLastLists(console, lists),
    ...ofEarlierLists(console, lists, needed.failed),
    ...(await refused(console, scope)),
    ...(await noticed(console, isVisible)),
    ...(await sources(console, scope, isVisible)),
  ]
}

async function inTheWay({ parts: { ledger }, times }: Console): Promise<Callout[]> {
  const stops = await ledger.sendingStops.stops()
  const obstacles = await ledger.consoleReadings.obstacles()
  const workers = await ledger.consoleReadings.workers()
  const isWorking = workers.some((worker) => doesOneOf(worker))
  return [
    ...stops.map((stop) => bad('Nothing is sent', sentence(`${sendingStoppedMessage(stop)}.`, times))),
    ...(isWorking ? [] : [bad('No worker is running', 'Inboxes and open rows wait for one.')]),
    ...obstacles.map(({ subject, detail, since }) =>
      bad(
        ['issue', 'reconcile'].includes(subject) ? 'The service cannot be used' : 'A worker cannot continue',
        html`${sentence(asSentence(detail), times)} Since ${times.at(since)}.`,
      ),
    ),
  ]
}

async function braked({ parts, address, times }: Console, scope: PipelineScope): Promise<Callout[]> {
  const runs = await parts.ledger.runPages.page({ scope, phase: 'braked' }, { before: null, limit: mostShown })
  return runs.map((run) =>
    warning(
      `The brake holds ${run.sourceName}`,
      html`${sentence(run.brakedBecause ?? '', times)} None of it was issued (${run.pipeline}, ${times.at(run.receivedAt)}).`,
      `${address.base}/runs/${run.id}`,
    ),
  )
}

function heldRows({ address }: Console, held: NeededDecisions['held']): Callout[] {
  const count = held.reduce((sum, { rows }) => sum + rows, 0)
  if (count === 0) return []
  const title =
    count >= mostHeldCounted
      ? `At least ${mostHeldCounted} rows are held`
      : `${countOf(count, 'row')} ${count === 1 ? 'is' : 'are'} held`
  const pipelines = held.map(({ pipeline, rows }) => `${rows} of ${pipeline}`).join(', ')
  const detail = `Somebody must decide about ${count === 1 ? 'it' : 'them'}: ${pipelines}.`
  return [warning(title, detail, `${address.base}/held`)]
}

async function refused({ parts, address, times }: Console, scope: PipelineScope): Promise<Callout[]> {
  const from = new Date(parts.clock.now().getTime() - refusedShownMs)
  const runs = await parts.ledger.runPages.page({ scope, phase: 'refused', from }, { before: null, limit: mostShown })
  return runs.map((run) =>
    bad(
      `${run.sourceName} was refused`,
      html`${sentence(run.refusal ?? '', times)} (${run.pipeline}, ${times.at(run.receivedAt)})`,
      `${address.base}/runs/${run.id}`,
    ),
  )
}

/** What only a look at the clock or at the whole shows. The others have lines of their own. */
const noticedKinds = ['missing', 'away', 'keys', 'behind', 'stuck']

async function noticed({ parts, times }: Console, isVisible: (pipeline: string | null) => boolean): Promise<Callout[]> {
  const notices = await parts.ledger.notices.shown()
  return notices
    .filter(({ kind, pipeline }) => noticedKinds.includes(kind) && isVisible(pipeline))
    .map((notice) => {
      const { title, lines, since } = parts.notices.describe(notice)
      const where = notice.pipeline === null ? '' : `${notice.pipeline}: `
      return warning(
        asSentence(`${where}${title}`),
        html`${lines.map((line) => html`${sentence(line, times)} `)}Since ${times.at(since)}.`,
      )
    })
}

async function sources(
  { parts, times }: Console,
  scope: PipelineScope,
  isVisible: (pipeline: string | null) => boolean,
): Promise<Callout[]> {
  const inboxes = (await parts.ledger.inboxes.statuses()).filter(({ pipeline }) => isVisible(pipeline))
  const systems = scope === null ? parts.learning.problemLines(await parts.ledger.learningSystems.statuses(), []) : []
  return [
    ...inboxes.flatMap(({ pipeline, problem, leftLying }) => {
      if (problem !== null) return [warning(`The inbox of ${pipeline} cannot be used`, sentence(problem, times))]
      if (leftLying === null) return []
      const { count, examples } = leftLying
      const why = examples.slice(0, 3).map((each) => `${each.name}: ${each.why}`)
      const title = `${countOf(count, 'file')} in the inbox of ${pipeline} ${count === 1 ? 'is' : 'are'} not taken`
      return [warning(title, sentence(why.join('; '), times))]
    }),
    ...systems.map((line) => warning('A learning system needs attention', sentence(asSentence(line), times))),
  ]
}
