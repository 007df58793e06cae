// Opens the high-water mark of a ledger. The mark is the ledger's last claim, kept outside the ledger in one or more
// stores. If the ledger does not contain this claim, it was rolled back and has lost the record of calls. Reads and
// writes the stores, but not the ledger.

import type { ClaimNumber, HighWaterMark, Witness } from '#src/domain/credential/high-water-mark.ts'
import type { MarkKeeper } from './keeper.ts'

/**
 * Thrown if the mark cannot be read from any store, so that it is unknown whether the ledger has lost the record of a
 * call.
 */
export class MarkUnreadableError extends Error {
  override readonly name = 'MarkUnreadableError'

  constructor(where: string, cause: unknown) {
    const code = (cause as { code?: string }).code ?? (cause instanceof Error ? cause.name : 'unknown reason')
    super(
      `The mark of the last call cannot be read from ${where} (${code}). Give the account of this process permission to read the mark. Do not remove the mark: it shows whether the ledger was rolled back.`,
      { cause },
    )
  }
}

export interface LedgerMark {
  /** Returns what each reachable store contains. @throws MarkUnreadableError if no store can be read */
  read(): Promise<Witness[]>
  /**
   * Writes the claim as the mark to every store that can be written, after the claim and before its call.
   * @returns `kept` is true if at least one store contains the new mark. `before` is what the stores contained.
   * `needsComparison` is true if any store contained something other than the previous claim of this ledger, so that
   * the ledger has to be compared with it
   */
  raise(
    claim: ClaimNumber & { at: Date; before: string | null },
  ): Promise<{ kept: boolean; needsComparison: boolean; before: Witness[] }>
  /**
   * Replaces the mark in every store by this claim, regardless of the stores' content. Used after an operator's
   * decision.
   * @throws the error of a store that cannot be written
   */
  put(claim: ClaimNumber & { at: Date }): Promise<void>
  /**
   * Sets the database server's identity, which future marks will contain.
   * @returns the identity in the last mark that was read, if it differs
   */
  nameSystem(system: string | null): string | null
}

export function openMark(
  keepers: readonly MarkKeeper[],
  options: { ledger: string; environment: string; service: string; onFault: (where: string, error: unknown) => void },
): LedgerMark {
  const { ledger, environment, service } = options
  const failing = new Set<MarkKeeper>()
  let system: string | null = null
  let formerSystem: string | null = null

  /** Calls a store. If it fails repeatedly, only the first failure is reported. */
  async function callStore<Answer>(keeper: MarkKeeper, call: () => Promise<Answer>) {
    try {
      const answer = { keeper, answer: await call() }
      failing.delete(keeper)
      return answer
    } catch (error) {
      if (!failing.has(keeper)) options.onFault(keeper.where, error)
      failing.add(keeper)
      return { keeper, error }
    }
  }
  const markOf = ({ era, number, token, at }: ClaimNumber & { at: Date }): HighWaterMark => ({
    ...{ ledger, environment, service, era, number, token },
    ...{ at: at.toISOString(), system },
  })
  const witnessOf = (keeper: MarkKeeper, storedMarks: Awaited<ReturnType<MarkKeeper['read']>>): Witness => {
    const marksOfEnvironment = storedMarks.marks.filter((mark) => mark.environment === environment)
    return {
      where: keeper.where,
      mark: marksOfEnvironment.find((each) => each.ledger === ledger) ?? null,
      other: marksOfEnvironment.find((each) => each.ledger !== ledger && each.service === service) ?? null,
      isUnreadable: storedMarks.isUnreadable,
    }
  }
  return {
    async read() {
      const results = await Promise.all(keepers.map((keeper) => callStore(keeper, () => keeper.read())))
      const answered = results.flatMap((result) =>
        'answer' in result ? [witnessOf(result.keeper, result.answer)] : [],
      )
      const [failed] = results
      if (answered.length === 0 && failed && 'error' in failed)
        throw new MarkUnreadableError(failed.keeper.where, failed.error)
      formerSystem = answered.find(({ mark }) => mark?.system)?.mark?.system ?? formerSystem
      return answered
    },
    async raise(claim) {
      const mark = markOf(claim)
      const results = await Promise.all(keepers.map((keeper) => callStore(keeper, () => keeper.raise(mark))))
      const answered = results.flatMap((result) =>
        'answer' in result ? [witnessOf(result.keeper, result.answer)] : [],
      )
      // Compared with the previous claim that the ledger has recorded, not with the last mark that this process wrote:
      // the ledger may have been rolled back since then.
      const isLast = ({ mark: held, other, isUnreadable }: Witness) =>
        !isUnreadable && (held ? held.token === claim.before : other === null)
      return {
        kept: answered.some(({ isUnreadable }) => !isUnreadable),
        needsComparison: !answered.every(isLast),
        before: answered,
      }
    },
    async put(claim) {
      await Promise.all(keepers.map((keeper) => keeper.put(markOf(claim))))
    },
    nameSystem(name) {
      const former = formerSystem
      system = name
      formerSystem = name
      return former !== null && name !== null && former !== name ? former : null
    },
  }
}
