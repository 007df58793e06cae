// Replaces ids, which differ between the two ledgers, with ranks: the first row, the second attempt.

import type { FullState } from './side.ts'

/** Returns the same state with ranks from 1 instead of ids, without courses that have no data. */
export function withRanks(state: FullState): FullState {
  const rank = (list: readonly { id: unknown }[]) => {
    const ranks = new Map(list.map(({ id }, index) => [id, index + 1]))
    return <Id>(id: Id) => (id === null || id === undefined ? id : ((ranks.get(id) ?? `unknown ${id}`) as Id))
  }
  const [issuance, attempt] = [rank(state.issuances), rank(state.attempts)]
  const [run, scan] = [rank(state.runs), rank(state.scans)]
  const evidence = (entry: Record<string, unknown> | null) =>
    entry && {
      ...entry,
      ...('run' in entry && { run: run(entry.run) }),
      ...('scan' in entry && { scan: scan(entry.scan) }),
    }
  return {
    ...state,
    issuances: state.issuances.map((each) => ({
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
    attempts: state.attempts.map((each) => ({
      ...each,
      id: attempt(each.id),
      items: each.items.map((item) => ({ ...item, issuance: issuance(item.issuance) })),
    })),
    runs: state.runs.map((each) => ({ ...each, id: run(each.id) })),
    scans: state.scans.map((each) => ({ ...each, id: scan(each.id) })),
    surplus: state.surplus.map((each) => ({ ...each, issuance: issuance(each.issuance) })),
    courses: state.courses.filter(({ course, ...learned }) => Object.values(learned).some((each) => each !== null)),
  }
}
