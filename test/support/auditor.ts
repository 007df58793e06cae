// The auditor: compares what the sandbox did, what the ledger says and what the source was told. Its judge of "once each" is the
// sandbox's own book, which the worker cannot see; a test that asked only the ledger would prove nothing.
// I1 to I8 are the promises that docs/architecture.md lists, each by what would break it.

import { expect } from 'vitest'
import { type LedgerPicture, readLedger } from './audit/ledger-picture.ts'
import { claimedTwice, issuedTwice, type RuleOf, sentWithoutRight } from './audit/once.ts'
import { type Book, callsOf, readBook } from './audit/sandbox-book.ts'
import { brokenHistory, finalWithoutCause, forgotten, forsaken, lost, notTheirs } from './audit/standing.ts'
import { toldWrongly } from './audit/told.ts'
import type { World } from './world.ts'

export { replayEverything } from './audit/replay.ts'
export { recordTold } from './audit/told.ts'

/** Offending rows, attempts, runs and lines, by the promise that they break. No personal data but what tests make up. */
export type Findings = Record<keyof typeof promises, string[]>

/** The numbers of a tally line; all but `issued` and `held` should be 0. */
export interface AuditCounts extends Readonly<Record<string, number>> {
  issued: number
  held: number
  lost: number
  twice: number
  wrongPerson: number
  mistold: number
}

interface Evidence {
  world: World
  ledger: LedgerPicture
  book: Book
}

const promises = {
  'issued twice': ({ world, ledger, book }: Evidence) => issuedTwice(ledger, book, ruleOf(world)),
  'I1 sent without a right to': ({ ledger, book }: Evidence) => sentWithoutRight(ledger, book),
  'I2 claimed twice': ({ ledger }: Evidence) => claimedTwice(ledger),
  'I3 final without a cause': ({ ledger, book }: Evidence) => finalWithoutCause(ledger, book),
  'I4 not in one state at a time': ({ ledger }: Evidence) => brokenHistory(ledger),
  'I4 unfinished, and nobody will look': ({ ledger }: Evidence) => forsaken(ledger),
  'I5 told what is not so': ({ world, ledger, book }: Evidence) => toldWrongly(world, ledger, book),
  "I6 somebody else's credential": ({ ledger, book }: Evidence) => notTheirs(ledger, book),
  'I8 settled, and nobody will tell': ({ ledger }: Evidence) => forgotten(ledger),
  lost: ({ ledger, book }: Evidence) => lost(ledger, book),
}

/** Fails with everything that breaks a promise. What needs doing again is I7: `replayEverything`. */
export async function audit(world: World): Promise<void> {
  const findings = await findBreaches(world)
  expect(findings).toEqual(Object.fromEntries(Object.keys(findings).map((promise) => [promise, []])))
}

/** The same as a value. */
export async function findBreaches(world: World): Promise<Findings> {
  return judge(await gather(world))
}

/** How it went, in numbers, whatever it was. Held rows are counted by the ledger, issued ones where the sandbox agrees. */
export async function auditCounts(world: World): Promise<AuditCounts> {
  const evidence = await gather(world)
  const { ledger, book } = evidence
  const found = await judge(evidence)
  const inState = (state: string) => ledger.rows.filter((row) => row.state === state)
  return {
    issued: inState('issued').filter((row) => book.of(row).some((each) => each.credentialId === row.credentialId))
      .length,
    held: inState('held').length,
    lost: found.lost.length,
    twice: found['issued twice'].length,
    wrongPerson: found["I6 somebody else's credential"].length,
    mistold: found['I5 told what is not so'].length,
  }
}

/** The ledger first: what the sandbox takes after that is of rows that are being sent, and breaks nothing. */
async function gather(world: World): Promise<Evidence> {
  const ledger = await readLedger(world)
  return { world, ledger, book: readBook(world.sandbox.requests(), ledger.rows, callsOf(world)) }
}

async function judge(evidence: Evidence): Promise<Findings> {
  const found = Object.entries(promises).map(async ([promise, breaches]) => [promise, await breaches(evidence)])
  return Object.fromEntries(await Promise.all(found))
}

function ruleOf({ settings }: World): RuleOf {
  const pipelines = Object.values(settings.file.pipelines)
  return (course) => pipelines.find((pipeline) => pipeline.course === course) ?? { identity: [], occurrence: [] }
}
