// The issuance that an address names, if the visitor may see it.

import type { Explained } from '#src/ledger/explain.ts'
import { visibleRuns } from './visible-run.ts'
import { type Console, scopeOf, type Visit } from './visit.ts'

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
