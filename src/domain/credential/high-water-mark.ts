// Defines the high-water mark, which records the last claim outside the ledger, and decides whether a ledger may send,
// given the marks that were found. Pure.

/** Identifies one claim of a batch or a revocation, by the ledger's count. */
export interface ClaimNumber {
  /** Raised each time an operator decides that a ledger may be trusted again. */
  era: number
  number: number
  token: string
}

export interface HighWaterMark extends ClaimNumber {
  ledger: string
  environment: string
  /** The address of the service that was called. */
  service: string
  /** When the claim was made, as ISO text. */
  at: string
  /**
   * Identifies the database server, where that is available. It also changes when the database is moved legitimately.
   */
  system: string | null
}

/** What one store of the mark contains. */
export interface Witness {
  /** Names the store, for example "the file /data/ledger-mark.json". */
  where: string
  /** Null if the store contains no mark of this ledger. */
  mark: HighWaterMark | null
  /** The mark of another ledger with the same environment and service; used only if `mark` is null. */
  other: HighWaterMark | null
  /** True if the store has content that cannot be parsed. */
  isUnreadable: boolean
}

/** @returns true if `mark` is later than `other` */
export function isLaterMark(mark: ClaimNumber, other: ClaimNumber): boolean {
  return mark.era > other.era || (mark.era === other.era && mark.number > other.number)
}

/**
 * Returns the reason why nothing may be sent with this ledger; null if there is none. If the ledger contains the claim
 * of at least one mark, it may send in spite of an unreadable file or a mark of another ledger.
 * @param ledger.knows returns true if the ledger contains the claim
 */
export function reasonNotToSend(
  witnesses: readonly Witness[],
  ledger: { era: number; knows: (claim: ClaimNumber) => boolean },
): string | null {
  let isVouchedFor = false
  for (const { where, mark } of witnesses) {
    if (!mark || mark.era < ledger.era) continue
    if (mark.era > ledger.era || (mark.number > 0 && !ledger.knows(mark)))
      return `the ledger has no record of the last call that this installation sent (number ${mark.number}, ${mark.at}, according to ${where}): it was rolled back, for example by a failover or an old backup, or it is a copy of the ledger that sent the call`
    isVouchedFor = true
  }
  if (isVouchedFor) return null
  const unreadable = witnesses.find((witness) => witness.isUnreadable)
  if (unreadable)
    return `${unreadable.where} cannot be parsed, so no one can tell whether the ledger has a record of every call that this installation sent`
  const other = witnesses.find((witness) => witness.mark === null && witness.other)
  if (other?.other)
    return `${other.where} names another ledger (${other.other.ledger}), which last sent at ${other.other.at}; this ledger has no record of what the other has issued`
  return null
}
