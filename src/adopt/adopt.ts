// An adoption: people of the report, some hundred at a time, become known to the ledger. Killed in the middle it is begun again, and goes on.

import { AdoptionOvertakenError } from '#src/ledger/adoption-overtaken-error.ts'
import type { AdoptionStanding } from '#src/ledger/adoption-standing.ts'
import type { AdoptionBatch, AdoptionOf, AdoptionVerbs } from '#src/ledger/adoptions.ts'
import { batchOf, decidePerson, type PersonDecision } from './decide-person.ts'
import { type Person, stateOf } from './gather-people.ts'
import { Reasons } from './reasons.ts'

/** In items of the report. */
export interface AdoptionTally {
  adopted: number
  /** Of the adopted. */
  states: { requested: number; in_progress: number; issued: number; revoked: number }
  /** Rows that waited to be sent, or failed, and are known as issued instead. */
  taken: number
  /** Of the taken. */
  takenByFailed: number
  known: number
  surplus: number
  /** Of the surplus: of people whose row the certification body rejected, and who have no other credential of ours. */
  surplusOfRejected: number
  spent: number
  /** Failed rows beside which fewer items are worth something than the ledger counted. */
  recounted: number
  left: Reasons
}

/** People in one transaction: large enough to be quick, small enough that a publication beside it waits for a moment only. */
const batchPeople = 500
const tries = 3
/** Batches between two looks of the database at how large its tables are. */
const figuresEvery = 20

/** What an adoption would do now. Nothing is written, and nothing locked. */
export async function rehearseAdoption(
  ledger: Pick<AdoptionVerbs, 'standing'>,
  course: string,
  people: readonly Person[],
): Promise<AdoptionTally> {
  const tally = emptyTally()
  for (const batch of batches(people))
    count(tally, decideBatch(batch, await ledger.standing(course, aboutOf(batch))).decided)
  return tally
}

/**
 * Each batch is decided anew, beside whoever else writes.
 * @param how.signal between two batches it ends the work; what is written stays, and the next adoption goes on
 * @param how.progress told how many people are done
 * @throws AdoptionOvertakenError when a reading of the report is faster than three tries
 */
export async function carryOutAdoption(
  ledger: Pick<AdoptionVerbs, 'write' | 'refreshStatistics'>,
  of: AdoptionOf,
  people: readonly Person[],
  how: { signal: AbortSignal; progress?: (done: number) => void },
): Promise<AdoptionTally> {
  const tally = emptyTally()
  let written = 0
  for (const batch of batches(people)) {
    if (how.signal.aborted) break
    how.progress?.(written * batchPeople)
    if (written++ % figuresEvery === 1) await ledger.refreshStatistics()
    count(tally, (await writeBatch(ledger, of, batch)).decided)
  }
  return tally
}

interface Decided {
  decided: PersonDecision[]
  batch: AdoptionBatch
}

async function writeBatch(
  ledger: Pick<AdoptionVerbs, 'write'>,
  of: AdoptionOf,
  people: readonly Person[],
): Promise<Decided> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ledger.write(of, aboutOf(people), (standing) => decideBatch(people, standing))
    } catch (error) {
      if (!(error instanceof AdoptionOvertakenError) || attempt >= tries) throw error
    }
  }
}

function decideBatch(people: readonly Person[], standing: AdoptionStanding): Decided {
  const decided = people.map((person) => ({ person, decision: decidePerson(person, standing) }))
  return { decided: decided.map(({ decision }) => decision), batch: batchOf(decided) }
}

function* batches(people: readonly Person[]): Generator<Person[]> {
  for (let at = 0; at < people.length; at += batchPeople) yield people.slice(at, at + batchPeople)
}

function aboutOf(people: readonly Person[]) {
  const items = people.flatMap(({ credential, more, spent }) => [credential, ...more, ...spent])
  return {
    issuanceKeys: people.map(({ key }) => Buffer.from(key, 'hex')),
    itemKeys: [...new Set(items.flatMap(({ key, fingerprint }) => [key, fingerprint]))],
    hashes: [...new Set(items.flatMap(({ hashes }) => hashes))].map((hash) => Buffer.from(hash, 'hex')),
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
    recounted: 0,
    left: new Reasons(),
  }
}

function count(tally: AdoptionTally, decided: readonly PersonDecision[]): void {
  for (const { adopted, taken, refused, known, surplus, spent, worth, left } of decided) {
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
    if (worth !== null) tally.recounted++
    for (const { item, because } of left) tally.left.add(because, item.item)
  }
}
