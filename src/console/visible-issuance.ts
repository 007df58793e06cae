// The issuance that an address names, if the visitor may see it.

import type { Explained } from '#src/ledger/explain.ts'
import { type Console, scopeOf, type Visit } from './visit.ts'

/** Null if there is none, or it belongs to another environment or to a pipeline that the visitor does not see. */
export async function visibleIssuance({ parts }: Console, { params, visitor }: Visit): Promise<Explained | null> {
  const id = Number(/^i(\d{1,15})$/.exec(params.id ?? '')?.[1] ?? 0)
  const scope = scopeOf(visitor)
  const found = await parts.ledger.issuances.explain({ id })
  return (
    found.find(
      ({ environment, pipeline }) =>
        environment === parts.ledger.environment && (scope === null || scope.includes(pipeline)),
    ) ?? null
  )
}
