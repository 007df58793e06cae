// Who did what, whether in the console or by a command, and who looked at whom.

import { pager } from '#src/extensions/console/html/pager.ts'
import { asSentence } from '#src/extensions/console/html/sentences.ts'
import type { LoggedAct } from '#src/extensions/console/ledger/activity-log.ts'
import { isExactTime } from '#src/ledger/exact-time.ts'
import { nothing, rowName, table } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { type Answer, type Console, page, type Visit } from '../visit.ts'

const pageSize = 100

export async function logPage(console: Console, { query }: Visit): Promise<Answer> {
  const asked = query.get('before')
  const before = asked !== null && isExactTime(asked) ? asked : null
  const acts = await console.parts.ledger.consoleActs.page({ before, limit: pageSize })
  const last = acts.length >= pageSize ? acts.at(-1) : undefined
  const list =
    acts.length === 0
      ? nothing(before === null ? 'Nothing yet.' : 'Nothing before that.')
      : table(
          'Activity, newest first',
          ['When', rowName('Who'), 'Action', 'About', 'Reason or details'],
          acts.map((act) => cells(console, act)),
        )
  return page({
    title: 'Log',
    lead: 'Who decided what, by a command or here, and who looked at whom.',
    body: html`<div class="card">${list}</div>${pager(`${console.address.base}/log`, query, last?.cursor ?? null)}`,
  })
}

function cells({ times, address: { base } }: Console, { at, by, act, run, issuance, why }: LoggedAct): Markup[] {
  const about =
    issuance !== null
      ? html`<a href="${base}/people/i${issuance}">i${issuance}</a>`
      : run !== null && html`<a href="${base}/runs/${run}">run ${run.slice(0, 8)}</a>`
  return [times.at(at), by, asSentence(act), about || '–', why ?? '–']
}
