// Runs an adoption: adds the people that the report shows to the ledger, a few hundred at a time, and counts the
// results. If the process is killed, the next adoption continues where it stopped. Reads and writes the database.

import type { PersonComparison } from '#src/domain/credential/same-person.ts'
import type { ReportItem } from '#src/issuer/wire-shapes.ts'
import { AdoptionOvertakenError } from '#src/ledger/report/adopt-items.ts'
import type { AdoptionBatch, AdoptionScope, AdoptionStore } from '#src/ledger/report/adoptions.ts'
import type { AdoptionSubjects, KnownForAdoption } from '#src/ledger/report/known-for-adoption.ts'
import { batchOf, decidePerson, type PersonDecision } from './decide-person.ts'
import { type Person, stateOf } from './gather-people.ts'

/** Counts of report items. */
export interface AdoptionTally {
  adopted: number
  /** The adopted items by state. */
  states: { requested: number; in_progress: number; issued: number; revoked: number }
  /** Rows that were waiting to be sent or had failed, and were assigned an item of the report. */
  taken: number
  /** How many of `taken` were failed rows. */
  takenByFailed: number
  /** Items that the ledger already has. */
  known: number
  /** Valid items of people who already have another one as their credential. */
  surplus: number
  /**
   * How many of `surplus` belong to people whose row the certification body rejected and who have no other credential
   * in the ledger.
   */
  surplusOfRejected: number
  /** Revoked, rejected and failed items of people who have another item as their credential. */
  spent: number
  /** Items of people who asked to be forgotten. */
  forgotten: number
  /** Failed rows whose count of other valid items was corrected in the ledger. */
  recounted: number
  /** Items that were left unchanged, by reason. */
  left: ReasonTally
}

/**
 * People per transaction. Large enough to be fast, but small enough that a concurrent publication waits only briefly.
 */
const peoplePerBatch = 500
const maxAttempts = 3
/** The number of batches from one refresh of the table statistics to the next. */
const batchesPerRefresh = 20

/** Computes what an adoption would do now. Writes nothing and takes no locks. */
export async function dryRunAdoption(
  ledger: Pick<AdoptionStore, 'known'>,
  course: string,
  people: readonly Person[],
  comparison: PersonComparison,
): Promise<AdoptionTally> {
  const tally = emptyTally()
  for (const batch of batches(people))
    addToTally(tally, decideBatch(batch, await ledger.known(course, subjectsOf(batch, comparison))).decisions)
  return tally
}

/**
 * Decides each batch again inside its transaction, because other processes may be writing.
 * @param options.signal stops the adoption between two batches. People who were already written stay in the ledger, and
 * the next adoption continues with the rest.
 * @param options.progress called with the number of people processed so far
 * @throws AdoptionOvertakenError if, three times in a row, another scan of the report wrote first
 */
export async function carryOutAdoption(
  ledger: Pick<AdoptionStore, 'write' | 'refreshStatistics'>,
  adoption: AdoptionScope,
  people: readonly Person[],
  options: { comparison: PersonComparison; signal: AbortSignal; progress?: (processed: number) => void },
): Promise<AdoptionTally> {
  const tally = emptyTally()
  let batchesWritten = 0
  for (const batch of batches(people)) {
    if (options.signal.aborted) break
    options.progress?.(batchesWritten * peoplePerBatch)
    if (batchesWritten++ % batchesPerRefresh === 1) await ledger.refreshStatistics()
    addToTally(tally, (await writeBatch(ledger, adoption, batch, options.comparison)).decisions)
  }
  return tally
}

interface DecidedBatch {
  decisions: PersonDecision[]
  batch: AdoptionBatch
}

async function writeBatch(
  ledger: Pick<AdoptionStore, 'write'>,
  adoption: AdoptionScope,
  people: readonly Person[],
  comparison: PersonComparison,
): Promise<DecidedBatch> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ledger.write(adoption, subjectsOf(people, comparison), (known) => decideBatch(people, known))
    } catch (error) {
      if (!(error instanceof AdoptionOvertakenError) || attempt >= maxAttempts) throw error
    }
  }
}

function decideBatch(people: readonly Person[], known: KnownForAdoption): DecidedBatch {
  const decided = people.map((person) => ({ person, decision: decidePerson(person, known) }))
  return { decisions: decided.map(({ decision }) => decision), batch: batchOf(decided) }
}

function* batches(people: readonly Person[]): Generator<Person[]> {
  for (let at = 0; at < people.length; at += peoplePerBatch) yield people.slice(at, at + peoplePerBatch)
}

function subjectsOf(people: readonly Person[], comparison: PersonComparison): AdoptionSubjects {
  const items = people.flatMap(({ credential, more, spent }) => [credential, ...more, ...spent])
  return {
    issuanceKeys: people.map(({ key }) => Buffer.from(key, 'hex')),
    itemKeys: [...new Set(items.flatMap(({ key, fingerprint }) => [key, fingerprint]))],
    hashes: [...new Set(items.flatMap(({ hashes }) => hashes))].map((hash) => Buffer.from(hash, 'hex')),
    people: people.map(({ credential }) => credential),
    comparison,
  }
}

function emptyTally(): AdoptionTally {
  const states = { requested: 0, in_progress: 0, issued: 0, revoked: 0 }
  return {
    adopted: 0,
    states,
    taken: 0,
    takenByFailed: 0,
    known: 0,
    surplus: 0,
    surplusOfRejected: 0,
    spent: 0,
    forgotten: 0,
    recounted: 0,
    left: new ReasonTally(),
  }
}

function addToTally(tally: AdoptionTally, decisions: readonly PersonDecision[]): void {
  for (const { adopted, taken, refused, known, surplus, spent, forgotten, recount, left } of decisions) {
    if (adopted) {
      tally.adopted++
      tally.states[stateOf(adopted) as keyof AdoptionTally['states']]++
    }
    if (taken) tally.taken++
    if (taken && refused === 'failed') tally.takenByFailed++
    if (refused === 'rejected') tally.surplusOfRejected += surplus.length
    tally.known += known.length
    tally.surplus += surplus.length
    tally.spent += spent.length
    tally.forgotten += forgotten.length
    if (recount !== null) tally.recounted++
    for (const { item, because } of left) tally.left.add(because, item.item)
  }
}

export interface Reason {
  because: string
  items: number
  /** The first three. They contain personal data and must be masked before they are shown. */
  examples: ReportItem[]
}

const maxExamples = 3

/** Counts the items that were left unchanged, by reason, and keeps the first three of each reason as examples. */
export class ReasonTally {
  readonly #reasons = new Map<string, Reason>()

  add(because: string, item: ReportItem): void {
    const reason = this.#reasons.get(because) ?? { because, items: 0, examples: [] }
    reason.items++
    if (reason.examples.length < maxExamples) reason.examples.push(item)
    this.#reasons.set(because, reason)
  }

  /** The most frequent reason first. */
  list(): Reason[] {
    return [...this.#reasons.values()].sort((a, b) => b.items - a.items)
  }

  get items(): number {
    return this.list().reduce((sum, each) => sum + each.items, 0)
  }
}
