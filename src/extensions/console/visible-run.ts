// Which runs a visitor may see: the one that an address names, and those that a page would name.

import type { Explained } from '#src/ledger/explain.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import { type Console, scopeOf, type Visit } from './visit.ts'

/** Null if there is none, or it belongs to another environment or to a pipeline that the visitor does not see. */
export async function visibleRun({ parts }: Console, { params, visitor }: Visit): Promise<Run | null> {
  const id = params.id ?? ''
  return (await parts.ledger.runPages.isVisible(id, scopeOf(visitor))) ? parts.ledger.runs.find(id) : null
}

/** Those of the runs that the visitor sees. The same people may be on lists of other pipelines for the same course. */
export async function visibleRuns(
  { parts }: Console,
  { visitor }: Pick<Visit, 'visitor'>,
  runs: readonly string[],
): Promise<ReadonlySet<string>> {
  const distinct = [...new Set(runs)]
  const scope = scopeOf(visitor)
  return new Set(scope === null ? distinct : await parts.ledger.runPages.visible(distinct, scope))
}

// The issuance that an address names, if the visitor may see it.

/**
 * Null if there is none, or it belongs to another environment or to a pipeline that the visitor does not see. Lists that the
 * visitor does not see are left out.
 */
export async function visibleIssuance(console: Console, { params, visitor }: Visit): Promise<Explained | null> {
  const { parts } = console
  const id = Number(/^i(\d{1,15})$/.exec(params.id ?? '')?.[1] ?? 0)
  const scope = scopeOf(visitor)
  const [found] = await parts.ledger.issuances.explain({ id })
  if (found?.environment !== parts.ledger.environment || !(scope === null || scope.includes(found.pipeline)))
    return null
  const lists = found.alsoIn.map(({ run }) => run)
  const visible = await visibleRuns(console, { visitor }, lists)
  return { ...found, alsoIn: found.alsoIn.filter(({ run }) => visible.has(run)) }
}
