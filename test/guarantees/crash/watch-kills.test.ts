// Kills a worker before and after every ledger verb used to watch issued credentials. Every revocation must still be
// found, and no other credential may change state.

import { expect, test } from 'vitest'
import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { watch } from '#jobs/watch-issued.ts'
import { sweep } from '#jobs/worker/sweep.ts'
import type { Faults } from '#sandboxes/service/faults/faults.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openWatchedWorld, type WatchedWorld } from '#test/support/watched-world.ts'
import { runUntilKilled } from './kill-at-verb.ts'
import { killedElsewhere } from './verbs-without-points.ts'

const file = 'test/guarantees/crash/watch-kills.test.ts'
const byDays: Faults = { revokedOrder: 'ignored', ignoredSearchKeys: undefined }
const byPages: Faults = { revokedOrder: 'ignored', ignoredSearchKeys: ['date_range'] }
const byOrder: Faults = { revokedOrder: undefined, ignoredSearchKeys: undefined }

/**
 * By verb: the report's faults when it is called, what runs instead of the watch, and whether the report fails. The
 * keys must equal this file's entry in `killedElsewhere` (verbs-without-points.ts).
 */
const kills: Readonly<
  Record<string, { faults: Faults; job?: (tools: ExtensionTools) => Promise<unknown>; fails?: true }>
> = {
  'watching.begin': {
    faults: byDays,
    job: ({ ledger, clock }) => ledger.watching.begin(clock.now()),
  },
  'watching.take': { faults: byDays, job: (tools) => sweep(tools) },
  'watching.noteSeen': { faults: byDays },
  'watching.noteLooked': { faults: byDays },
  'watching.beginRound': { faults: byPages },
  'watching.endRound': { faults: byPages },
  'watching.noteInOrder': { faults: byOrder },
  'watching.endCheck': { faults: byOrder },
  'watching.postpone': { faults: byOrder, fails: true },
}

const people = 120
const firstPerson = 7
/** Prevents any two revoked credentials from being adjacent in the report. */
const spacing = 5

describeWithDatabase('a worker killed while it watches credentials', () => {
  test('finds every revocation', async () => {
    await using world = await openWatchedWorld({ days: 6, perDay: people / 6, watchWithin: '5d' })
    const gone = world.sandbox.requests()[19]?.credentialId ?? ''
    world.sandbox.injectFaults({ vanished: [gone] })
    const revoked: number[] = []
    // Revoked on two different days, so that the report's order is known before the first kill.
    revoked.push(await revokeOne(world, people - 10))
    await world.simulateDay()
    revoked.push(await revokeOne(world, firstPerson - 2))
    for (const [verb, kill] of Object.entries(kills)) {
      for (const when of ['before', 'after']) {
        const person = firstPerson + revoked.length * spacing
        revoked.push(await revokeOne(world, person))
        world.sandbox.injectFaults(kill.faults)
        if (verb === 'watching.endRound') await world.app.ledger.watching.requestAll()
        await killAt(world, `${verb}:${when}`, kill)
      }
    }
    for (let night = 1; night <= 5; night++) await world.simulateDay()
    const states = await world.states()
    const found = states.flatMap((state, at) => (state === 'revoked' ? [at + 1] : []))
    expect(found).toEqual(revoked.toSorted((a, b) => a - b))
    expect(states.filter((state) => state === 'issued')).toHaveLength(people - revoked.length)
    expect(await world.watchStatus()).toMatchObject({ missing: 1, issued: people - revoked.length })
  })

  test('is killed at every verb that verbs-without-points.ts assigns to this file', () => {
    expect(Object.keys(kills).toSorted()).toEqual(killedElsewhere[file])
  })
})

async function revokeOne(world: WatchedWorld, person: number): Promise<number> {
  await world.revoke(person)
  return person
}

async function killAt(
  world: WatchedWorld,
  at: string,
  { job = watch, fails }: (typeof kills)[string] & object,
): Promise<void> {
  const { app, wire } = world
  await app.ledger.watching.postpone(0)
  // Makes every credential overdue for a check, including the one that vanished from the report.
  await app.database.query(`UPDATE report_claim SET looked_at = NULL, claimed_at = now() - interval '1 day'`)
  // The report fails for all three ways of reading it: by order, by days and by pages.
  if (fails) wire.spoil('/student/report', { status: 400, body: '{"status":400,"message":"Not now."}' }, 3)
  const killed = await runUntilKilled(world, at, job)
  expect([at, killed]).toEqual([at, true])
}
