// What needs a person, each with where to go: the brake, held and changed rows, refused files, what is in the way.

import { mostHeldCounted } from '#src/extensions/console/ledger/overview.ts'
import type { ListedRun } from '#src/extensions/console/ledger/run-pages.ts'
import type { SignedIn } from '#src/extensions/console/ledger/sessions.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import { sendingStoppedMessage } from '#src/ledger/attempts/sending-stopped-message.ts'
import { doesOneOf } from '#src/ledger/workers/worker-registration.ts'
import { type Callout, words } from '../html/elements.ts'
import { html } from '../html/markup.ts'
import { asSentence, sentence } from '../html/sentences.ts'
import { type Console, decides, revokes, scopeOf } from '../visit.ts'
import { failedCorrections, ofEarlierLists, ofLastLists } from './rows-for-persons.ts'

const dayMs = 86_400_000
/** A refusal is old news after this. */
const refusedShownMs = 3 * dayMs
const mostShown = 10

/** @param lists the last one of each pipeline that the visitor sees */
export async function peopleNeeded(
  console: Console,
  visitor: SignedIn,
  lists: readonly ListedRun[],
): Promise<Callout[]> {
  const { ledger } = console.parts
  const scope = scopeOf(visitor)
  const mayDecide = decides(visitor)
  const isVisible = (pipeline: string | null) => scope === null || (pipeline !== null && scope.includes(pipeline))
  const stops = await ledger.sendingStops.stops()
  const workers = await ledger.consoleReadings.workers()
  const obstacles = await ledger.consoleReadings.obstacles()
  const needed = await ledger.consoleReadings.needed(scope)
  const revocations = revokes(visitor) ? await ledger.revocations.toDecide() : []
  const { base } = console.address
  const { times } = console
  const heldRows = needed.held.reduce((sum, { rows }) => sum + rows, 0)
  return [
    ...stops.map((stop) => ({
      tone: 'bad' as const,
      title: words('Nothing is sent'),
      detail: sentence(`${sendingStoppedMessage(stop)}.`, times),
    })),
    ...(workers.some((worker) => doesOneOf(worker))
      ? []
      : [{ tone: 'bad' as const, title: 'No worker is running', detail: 'Inboxes and open rows wait for one.' }]),
    ...obstacles.map(({ subject, detail, since }) => ({
      tone: 'bad' as const,
      title: words(
        subject === 'issue' || subject === 'reconcile' ? 'The service cannot be used' : 'A worker cannot go on',
      ),
      detail: html`${sentence(asSentence(detail), times)} Since ${times.at(since)}.`,
      href: `${base}/service`,
    })),
    ...failedCorrections(console, needed.corrections),
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
              `A person must decide about ${heldRows === 1 ? 'it' : 'them'}: ${needed.held.map(({ pipeline, rows }) => `${rows} of ${pipeline}`).join(', ')}.`,
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
      detail: html`The data differ from the credential. The oldest came ${times.at(since)}. An operator decides about ${count === 1 ? 'it' : 'them'}.`,
      ...(mayDecide && { href: `${base}/corrections` }),
    })),
    ...(revocations.length > 0
      ? [
          {
            tone: 'warn' as const,
            title: words(
              `${countOf(revocations.length, 'revocation')} ${revocations.length === 1 ? 'needs' : 'need'} a decision`,
            ),
            detail: words('They had no effect, or are in doubt.'),
            href: `${base}/held`,
          },
        ]
      : []),
    ...ofLastLists(console, lists),
    ...ofEarlierLists(console, lists, needed.failed),
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
      const { title, lines, since } = parts.notices.describe(notice)
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
  const systems = scope === null ? parts.learning.problemLines(await parts.ledger.learningSystems.statuses(), []) : []
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
