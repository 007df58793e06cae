// What an address names, if the visitor may see it: a run or an issuance. Also which runs a page may name.

import type { Explained } from '#src/ledger/explain.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import { type Answer, type Console, scopeOf, type Visit } from './visit.ts'

/** A page that needs only the visit, made from one about what its address names. */
type Page = (console: Console, visit: Visit) => Promise<Answer>

/**
 * Missing if there is no such run, or it belongs to another environment or to a pipeline that the visitor does not see.
 */
export const ofRun =
  (answer: (console: Console, visit: Visit, run: Run) => Promise<Answer>): Page =>
  async (console, visit) => {
    const { runPages, runs } = console.parts.ledger
    const id = visit.params.id ?? ''
    const run = (await runPages.isVisible(id, scopeOf(visit.visitor))) ? await runs.find(id) : null
    return run ? answer(console, visit, run) : { kind: 'missing' }
  }

/**
 * Missing if there is no such issuance, or it belongs to another environment or to a pipeline that the visitor does not
 * see. Lists that the visitor does not see are left out.
 */
export const ofIssuance =
  (answer: (console: Console, visit: Visit, life: Explained) => Promise<Answer>): Page =>
  async (console, visit) => {
    const life = await visibleIssuance(console, visit)
    return life ? answer(console, visit, life) : { kind: 'missing' }
  }

export async function visibleIssuance(console: Console, visit: Visit): Promise<Explained | null> {
  const { ledger } = console.parts
  const id = Number(/^i(\d{1,15})$/.exec(visit.params.id ?? '')?.[1] ?? 0)
  const scope = scopeOf(visit.visitor)
  const [found] = await ledger.issuances.explain({ id })
  if (found?.environment !== ledger.environment || !(scope === null || scope.includes(found.pipeline))) return null
  const lists = found.alsoIn.map(({ run }) => run)
  const visible = await visibleRuns(console, visit, lists)
  return { ...found, alsoIn: found.alsoIn.filter(({ run }) => visible.has(run)) }
}

/** Those of the runs that the visitor sees. The same people may be on lists of other pipelines for the same course. */
export async function visibleRuns(
  { parts }: Console,
  { visitor }: Visit,
  runs: readonly string[],
): Promise<ReadonlySet<string>> {
  const scope = scopeOf(visitor)
  return new Set(scope === null ? runs : await parts.ledger.runPages.visible([...new Set(runs)], scope))
}
