// Kills a worker before and after every ledger verb with which notices are decided and sent. Each notice must still be
// delivered, at most twice and then with the same Message-ID, and its end must be reported once.

import { expect, test } from 'vitest'
import type { App } from '#src/app/app.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { headerOf, openMailServer, type TestMailServer } from '#test/support/mail-server.ts'
import { noticeRound } from '#test/support/notice-round.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { runUntilKilled } from './kill-at-verb.ts'
import { killedElsewhere } from './verbs-without-points.ts'

const file = 'test/guarantees/crash/notice-kills.test.ts'

/** The keys must equal this file's entry in `killedElsewhere` (verbs-without-points.ts). */
const kills: Readonly<Record<string, { mailFails?: number }>> = {
  'notices.apply': {},
  'notices.makeMessage': {},
  'notices.noteDelivered': {},
  'notices.noteRefused': { mailFails: 554 },
  'notices.noteUndelivered': { mailFails: 451 },
  'notices.watchedSince': {},
}

describeWithDatabase('a worker killed while it notifies somebody', () => {
  test.each(Object.keys(kills).flatMap((verb) => [`${verb}:before`, `${verb}:after`]))(
    'at %s loses no message, and repeats at most one',
    async (at) => {
      await using mail = await openMailServer()
      await using world = await openWorld({
        file: {
          notify: {
            smtp: { host: '127.0.0.1', port: mail.port, from: 'credsync@example.org', tls: 'none' },
            to: { ops: { email: ['ops@example.org'], on: ['person', 'summary'] } },
            group: '1ms',
          },
        },
      })
      const kill = kills[at.slice(0, at.indexOf(':'))]
      // What the first round ever does is not repeated in later ones.
      const isOfFirstRound = at.startsWith('notices.watchedSince')
      if (isOfFirstRound) expect(await runUntilKilled(world, at, rounds)).toBe(true)
      await noticeRound(world.app)
      await braked(world)
      if (kill?.mailFails) mail.beforeAccepting = refuseOnce(mail, kill.mailFails)
      if (!isOfFirstRound) expect(await runUntilKilled(world, at, rounds)).toBe(true)

      await rounds(world.app)
      await world.app.database.query(`UPDATE notice_message SET due_at = now()`)
      await rounds(world.app)
      expect(idsAbout(mail, /is held by the brake|refused in full/)).toSatisfy(onceOrRepeated)

      await world.app.database.query(`UPDATE run SET state = 'refused', settled_at = now(), refusal = 'No.'`)
      await rounds(world.app)
      expect(idsAbout(mail, /no list is held by the brake any more/)).toHaveLength(1)
      expect(mail.received.length).toBeLessThanOrEqual(4)
    },
  )

  test('is killed at every verb that verbs-without-points.ts assigns to this file', () => {
    expect(Object.keys(kills).toSorted()).toEqual(killedElsewhere[file])
  })
})

/** A list that the brake holds, so that a person must decide. */
async function braked({ app }: World): Promise<void> {
  const { run } = await app.ledger.runs.receive({
    ...{ pipeline: 'spring', sourceName: 'large.csv', sourcePath: '/in/large.csv', sourceSha256: 'large' },
  })
  await app.database.query(
    `UPDATE run SET state = 'braked', braked_at = now(), would_accept = 900, braked_because = 'It is too many.' WHERE id = $1`,
    [run.id],
  )
}

/** Enough rounds for a notice to be opened, composed and delivered. */
async function rounds(app: Pick<App, 'clock'>): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await noticeRound(app as App)
    await app.clock.sleep(5)
  }
}

function refuseOnce(mail: TestMailServer, responseCode: number): () => void {
  return () => {
    mail.beforeAccepting = () => {}
    throw Object.assign(new Error('not this'), { responseCode })
  }
}

const idsAbout = ({ received }: TestMailServer, words: RegExp) =>
  received.filter((mail) => words.test(headerOf(mail, 'subject'))).map((mail) => headerOf(mail, 'message-id'))

const onceOrRepeated = (ids: string[]) => (ids.length === 1 || ids.length === 2) && new Set(ids).size === 1
