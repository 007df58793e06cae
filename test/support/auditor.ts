// The auditor compares the sandbox, the ledger and the results files. "Once each" is decided by the sandbox's records,
// which the worker cannot see, because a check of the ledger alone would prove nothing. Reads the database and files.
// I1 to I8 are the promises listed in docs/guarantees.md.

import { expect } from 'vitest'
import { claimedTwice, issuedTwice, type RuleOf, sentWithoutPermission } from './audit/duplicate-requests.ts'
import { type LedgerPicture, readLedger } from './audit/ledger-picture.ts'
import { falseResults } from './audit/results-files.ts'
import {
  brokenHistory,
  countedWrongly,
  finalWithoutCause,
  lost,
  neverDelivered,
  neverDue,
  wrongPersonItems,
} from './audit/row-states.ts'
import { type Book, callsOf, readBook } from './audit/sandbox-book.ts'
import type { World } from './world.ts'

export { replayEverything } from './audit/replay.ts'
export { recordResultsFiles } from './audit/results-files.ts'

/**
 * Offending rows, attempts, runs and lines, grouped by the promise broken. The only personal data is made up by tests.
 */
export type Findings = Record<keyof typeof promises, string[]>

/** The numbers of a tally line; all except `issued` and `held` should be 0. */
export interface AuditCounts extends Readonly<Record<string, number>> {
  issued: number
  held: number
  lost: number
  twice: number
  wrongPerson: number
  falseResults: number
}

interface Evidence {
  world: World
  ledger: LedgerPicture
  book: Book
}

const promises = {
  'issued twice': ({ world, ledger, book }: Evidence) => issuedTwice(ledger, book, ruleOf(world)),
  'I1 sent without permission': ({ ledger, book }: Evidence) => sentWithoutPermission(ledger, book),
  'I2 claimed twice': ({ ledger }: Evidence) => claimedTwice(ledger),
  'I3 final without a cause': ({ ledger, book }: Evidence) => finalWithoutCause(ledger, book),
  'I4 not in one state at a time': ({ ledger }: Evidence) => brokenHistory(ledger),
  'I4 counted wrongly': ({ ledger }: Evidence) => countedWrongly(ledger),
  'I4 unfinished and never due': ({ ledger }: Evidence) => neverDue(ledger),
  'I5 false results': ({ world, ledger, book }: Evidence) => falseResults(world, ledger, book),
  "I6 somebody else's credential": ({ ledger, book }: Evidence) => wrongPersonItems(ledger, book),
  'I8 settled but never delivered': ({ ledger }: Evidence) => neverDelivered(ledger),
  lost: ({ ledger, book }: Evidence) => lost(ledger, book),
}

/** Fails if any promise is broken and lists every finding. I7 needs jobs to be repeated: see `replayEverything`. */
export async function audit(world: World): Promise<void> {
  const findings = await findBreaches(world)
  expect(findings).toEqual(Object.fromEntries(Object.keys(findings).map((promise) => [promise, []])))
}

/** Returns the findings instead of failing. */
export async function findBreaches(world: World): Promise<Findings> {
  return checkPromises(await gather(world))
}

/** Counts the outcomes. Held rows are counted from the ledger, issued rows only if the sandbox agrees. */
export async function auditCounts(world: World): Promise<AuditCounts> {
  const evidence = await gather(world)
  const { ledger, book } = evidence
  const found = await checkPromises(evidence)
  const inState = (state: string) => ledger.rows.filter((row) => row.state === state)
  return {
    issued: inState('issued').filter((row) =>
      book.requestsOf(row).some((request) => request.credentialId === row.credentialId),
    ).length,
    held: inState('held').length,
    lost: found.lost.length,
    twice: found['issued twice'].length,
    wrongPerson: found["I6 somebody else's credential"].length,
    falseResults: found['I5 false results'].length,
  }
}

/**
 * Reads the ledger before the sandbox: requests applied in between belong to rows that are being sent, which is no
 * breach.
 */
async function gather(world: World): Promise<Evidence> {
  const ledger = await readLedger(world)
  return { world, ledger, book: readBook(world.sandbox.requests(), ledger.rows, callsOf(world)) }
}

async function checkPromises(evidence: Evidence): Promise<Findings> {
  const found = Object.entries(promises).map(async ([promise, breaches]) => [promise, await breaches(evidence)])
  return Object.fromEntries(await Promise.all(found))
}

function ruleOf({ settings }: World): RuleOf {
  const pipelines = Object.values(settings.file.pipelines)
  return (course) => pipelines.find((pipeline) => pipeline.course === course) ?? { identity: [], occurrence: [] }
}
