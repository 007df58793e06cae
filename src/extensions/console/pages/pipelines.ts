// Each pipeline with its course, its source and its targets.

import type { PipelineSettings } from '#config/schema.ts'
import type { WatchedInbox } from '#src/files/inbox/open-inboxes.ts'
import type { InboxRecord } from '#src/ledger/runs/inboxes.ts'
import { within } from '#src/platform/time/deadline.ts'
import { facts, label, nothing } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { asSentence, sentence } from '../html/sentences.ts'
import { type Answer, type Console, page, type Visit, visibleOf } from '../visit.ts'

/** A page does not wait longer than this for the service. */
const courseMs = 2_000

export async function pipelinesPage(console: Console, { visitor }: Visit): Promise<Answer> {
  const { parts } = console
  const names = visibleOf(parts.pipelines.names, visitor)
  const records = await parts.ledger.inboxes.statuses()
  const cards = await Promise.all(
    names.map(async (name) => {
      const course = await courseState(console, parts.pipelines.named(name))
      return pipelineCard(console, name, course, records.find(({ pipeline }) => pipeline === name) ?? null)
    }),
  )
  return page({
    title: 'Pipelines',
    lead: html`Each list belongs to a pipeline, which says for which course it is. <code>credsync check</code> checks all of them.`,
    body: cards.length > 0 ? cards : html`<div class="card">${nothing('There is no pipeline that you may see.')}</div>`,
  })
}

/** Whether the course can issue; asked at most once a minute, by the cache that the worker uses too. */
async function courseState({ parts }: Console, settings: PipelineSettings): Promise<Markup> {
  const { courses, clock } = parts
  const ask = async () => courses.whyNotReady(await courses.uuidOf(settings))
  try {
    const why = await within(clock, courseMs, ask())
    return why === null
      ? label('approved and enabled', 'good')
      : html`${label('cannot issue', 'bad')} ${asSentence(why)}`
  } catch {
    return html`${label('unknown', 'warn')} The course could not be looked up just now. <code>credsync check</code> says why.`
  }
}

function pipelineCard(console: Console, name: string, course: Markup, record: InboxRecord | null): Markup {
  const { parts, address } = console
  const settings = parts.pipelines.named(name)
  const { source, brake } = settings
  const inbox = parts.inboxes.find(name)
  const system = source && 'system' in source ? source : null
  return html`<section class="card" aria-labelledby="${name}"><h2 id="${name}">${name}</h2>
${facts([
  ['Course', html`${course} <span class="remark">${settings.courseNumber ?? settings.course ?? ''}</span>`],
  ['Source', sourceWords(inbox, system)],
  ['Last look', inbox && lastLook(console, record)],
  ['Next look', inbox && nextLook(console, inbox, record)],
  ['Problem', record?.problem ? sentence(record.problem, console.times) : null],
  ['Not taken', notTaken(record)],
  ['Expected', settings.expect ? expectedWords(settings.expect) : null],
  ['Brake', brake ? 'holds a list that is larger than usual, until somebody decides' : null],
  [
    'Delivered to',
    settings.writeBack.length > 0 &&
      parts.learning
        .targetsOf(name)
        .map((target) => target.name)
        .join(', '),
  ],
])}
<p><a href="${address.base}/runs?pipeline=${encodeURIComponent(name)}">Runs of this pipeline</a></p></section>`
}

function sourceWords(inbox: WatchedInbox | null, system: { system: string; course: string | number } | null): Markup {
  if (inbox) return html`<code>${inbox.folder}</code> <span class="remark">${inbox.pattern}</span>`
  if (system) return html`completions of ${system.course} in ${system.system}`
  return 'lists that are uploaded here, or handed in by a command'
}

function lastLook({ times }: Console, record: InboxRecord | null): Markup {
  if (!record?.lookedAt) return 'not yet'
  const taken =
    record.filesAt &&
    html` <span class="remark">${record.files === 1 ? '1 file' : `${record.files} files`} taken ${times.at(record.filesAt)}</span>`
  return html`${times.at(record.lookedAt)}${taken}`
}

function nextLook({ times, parts }: Console, { schedule }: WatchedInbox, record: InboxRecord | null): Markup {
  const now = parts.clock.now()
  const regular = schedule.next(record?.lastDueAt ?? now)
  const next = record?.againAt && record.againAt < regular ? record.againAt : regular
  const every = html` <span class="remark">${schedule.everyMs === null ? `${schedule.text} (${schedule.timeZone})` : `every ${schedule.text}`}</span>`
  return html`${next <= now ? 'now, if a worker is running' : times.at(next)}${every}`
}

function notTaken(record: InboxRecord | null): Markup {
  const lying = record?.leftLying
  if (!lying) return null
  const more = lying.count - lying.examples.length
  return html`<ul class="plain">${lying.examples.map(({ name, why }) => html`<li>${name}: ${why}</li>`)}${more > 0 && html`<li>and ${more} more</li>`}</ul>`
}

function expectedWords(expect: NonNullable<PipelineSettings['expect']>): string {
  if ('within' in expect) return `every ${expect.within}`
  return `by ${expect.by} (${expect.timeZone})${expect.days === 'mon-sun' ? '' : `, ${expect.days}`}`
}
