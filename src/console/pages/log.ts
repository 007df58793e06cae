// Who did what, whether in the console or by a command, and who looked at whom.

import type { LoggedAct } from '#src/ledger/console/acts.ts'
import { isExactTime } from '#src/ledger/exact-time.ts'
import { nothing, table } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { asSentence } from '../html/sentences.ts'
import { type Answer, type Console, page, type Visit } from '../visit.ts'
import { pager } from './pager.ts'

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
          'Acts, newest first',
          [
            { title: 'When' },
            { title: 'Who', names: true },
            { title: 'Did what' },
            { title: 'About' },
            { title: 'Why, or which' },
          ],
          together(acts).map(({ act, more }) => cells(console, act, more)),
        )
  return page({
    title: 'Log',
    lead: 'Who decided what, by a command or here, and who looked at whom.',
    body: html`<div class="card">${list}</div>${pager(`${console.address.base}/log`, query, last?.cursor ?? null)}`,
  })
}

/** Acts that one person did at once to many rows become one line. */
function together(acts: readonly LoggedAct[]): { act: LoggedAct; more: number }[] {
  const lines: { act: LoggedAct; more: number }[] = []
  for (const act of acts) {
    const last = lines.at(-1)
    const isSame =
      last &&
      act.issuance !== null &&
      (['by', 'act', 'why', 'run'] as const).every((key) => last.act[key] === act[key]) &&
      last.act.at.getTime() - act.at.getTime() < 1_000
    if (isSame) last.more += 1
    else lines.push({ act, more: 0 })
  }
  return lines
}

function cells({ times, address }: Console, { at, by, act, run, issuance, why }: LoggedAct, more: number): Markup[] {
  const about =
    issuance !== null
      ? html`<a href="${address.base}/people/i${String(issuance)}">i${String(issuance)}</a>${more > 0 ? ` and ${more} more` : ''}`
      : run !== null && html`<a href="${address.base}/runs/${run}">run ${run.slice(0, 8)}</a>`
  return [times.at(at), by, asSentence(act), about || '–', why ?? '–']
}
