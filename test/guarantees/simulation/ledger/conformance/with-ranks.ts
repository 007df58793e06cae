// Ids differ between the two ledgers, ranks do not: the first row, the second attempt.

import type { Standing } from './side.ts'

/** The same standing with ranks from 1 in place of ids; a course of which nothing is known is left out. */
export function withRanks(standing: Standing): Standing {
  const rank = (list: readonly { id: unknown }[]) => {
    const ranks = new Map(list.map(({ id }, index) => [id, index + 1]))
    return <Id>(id: Id) => (id === null || id === undefined ? id : ((ranks.get(id) ?? `unknown ${id}`) as Id))
  }
  const [issuance, attempt] = [rank(standing.issuances), rank(standing.attempts)]
  const [run, scan] = [rank(standing.runs), rank(standing.scans)]
  const evidence = (of: Record<string, unknown> | null) =>
    of && { ...of, ...('run' in of && { run: run(of.run) }), ...('scan' in of && { scan: scan(of.scan) }) }
  return {
    ...standing,
    issuances: standing.issuances.map((each) => ({
      ...each,
      id: issuance(each.id),
      run: run(each.run),
      attempt: attempt(each.attempt),
      evidence: evidence(each.evidence),
      history: each.history.map((line) => ({
        ...line,
        attempt: attempt(line.attempt),
        evidence: evidence(line.evidence as Record<string, unknown> | null),
      })),
    })),
    attempts: standing.attempts.map((each) => ({
      ...each,
      id: attempt(each.id),
      items: each.items.map((item) => ({ ...item, issuance: issuance(item.issuance) })),
    })),
    runs: standing.runs.map((each) => ({ ...each, id: run(each.id) })),
    scans: standing.scans.map((each) => ({ ...each, id: scan(each.id) })),
    surplus: standing.surplus.map((each) => ({ ...each, issuance: issuance(each.issuance) })),
    courses: standing.courses.filter(({ course, ...learned }) => Object.values(learned).some((each) => each !== null)),
  }
}
