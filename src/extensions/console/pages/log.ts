// Who did what, whether in the console or by a command, and who looked at whom.

import { asSentence, pager } from '#src/extensions/console/html/sentences.ts'
import type { LoggedAct } from '#src/extensions/console/ledger/acts.ts'
import { isExactTime } from '#src/ledger/exact-time.ts'
import { nothing, table } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { issuanceLinks } from '../html/recipient.ts'
import { type Answer, type Console, page, type Visit } from '../visit.ts'

const pageSize = 100
/** As many as can be decided about on one page. The failed rows of a run that are sent again may be more. */
const mostNamed = 200

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
          together(acts).map((line) => cells(console, line)),
        )
  return page({
    title: 'Log',
    lead: 'Who decided what, by a command or here, and who looked at whom.',
    body: html`<div class="card">${list}</div>${pager(`${console.address.base}/log`, query, last?.cursor ?? null)}`,
  })
}

interface LogLine {
  act: LoggedAct
  /** All issuances that the act is about. */
  issuances: number[]
}

/** What one person decided at once about many rows becomes one line. Each look at a person keeps its own. */
function together(acts: readonly LoggedAct[]): LogLine[] {
  const lines: LogLine[] = []
  for (const act of acts) {
    const last = lines.at(-1)
    const isSame =
      last &&
      act.issuance !== null &&
      act.act.startsWith('a person decided') &&
      (['by', 'act', 'why', 'run'] as const).every((key) => last.act[key] === act[key]) &&
      last.act.at.getTime() - act.at.getTime() < 1_000
    if (isSame && act.issuance !== null) last.issuances.push(act.issuance)
    else lines.push({ act, issuances: act.issuance === null ? [] : [act.issuance] })
  }
  return lines
}

function cells({ times, address }: Console, { act: { at, by, act, run, why }, issuances }: LogLine): Markup[] {
  const more = issuances.length - mostNamed
  const about =
    issuances.length > 0
      ? html`${issuanceLinks(address.base, issuances.slice(0, mostNamed))}${more > 0 ? ` and ${more} more` : ''}`
      : run !== null && html`<a href="${address.base}/runs/${run}">run ${run.slice(0, 8)}</a>`
  return [times.at(at), by, asSentence(act), about || '–', why ?? '–']
}
