// Receives the notices of a tortured run by a signed webhook that often fails, before or after it has read a message, and
// checks that everybody is notified of every list all the same.

import { expect } from 'vitest'
import { systemClock } from '#src/platform/time/clock.ts'
import { noticeRound } from '#test/support/notice-round.ts'
import { openScriptedServer } from '#test/support/scripted-server.ts'
import { openDice } from '#test/support/seeded-random.ts'
import type { World } from '#test/support/world.ts'

interface NoticeBody {
  data: { notices: { key: string; change: string }[] }
}

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const maxRounds = 500

export async function openNoticeReceiver(seed: number) {
  // Dice of its own, so that the draws of the run stay the same.
  const dice = openDice(seed)
  const server = await openScriptedServer()
  /** The first body of each message, and how often it came. */
  const messages = new Map<string, { body: string; times: number }>()
  server.on('/hook', (seen, response, request) => {
    if (dice.chance(0.3)) return void response.writeHead(503).end()
    const id = String(seen.headers['webhook-id'])
    const known = messages.get(id)
    messages.set(id, { body: known?.body ?? seen.body, times: (known?.times ?? 0) + 1 })
    if (known) expect(seen.body).toBe(known.body)
    if (dice.chance(0.3)) request.socket.destroy()
    else response.writeHead(204).end()
  })
  return {
    settings: { notify: { to: { hook: { webhook: `${server.url}/hook`, secret } }, group: '1ms' } },
    /** Runs the rounds of two workers until stopped. */
    notify({ app }: World) {
      let isStopped = false
      const work = async () => {
        while (!isStopped) {
          await noticeRound(app)
          await app.database.query('UPDATE notice_message SET due_at = created_at WHERE delivered_at IS NULL')
          await systemClock.sleep(20)
        }
      }
      const workers = [work(), work()]
      return {
        async stop() {
          isStopped = true
          await Promise.all(workers)
        },
      }
    },
    /** Fails unless the end of each list was reported in exactly one message. */
    async audit({ app }: World): Promise<void> {
      const isDone = async () => {
        const { rows } = await app.database.query<{ waiting: number }>(
          `SELECT (SELECT count(*) FROM notice_change WHERE message_id IS NULL) + (SELECT count(*) FROM notice_message WHERE delivered_at IS NULL)
             + (SELECT count(*) FROM run WHERE state = 'published' AND adopts IS NULL AND NOT EXISTS (
                  SELECT FROM notice n WHERE n.key = 'summary ' || run.id AND n.recovered_at IS NOT NULL)) AS waiting`,
        )
        return rows[0]?.waiting === 0
      }
      for (let round = 0; !(await isDone()); round++) {
        if (round > maxRounds) throw new Error('Not every notice was delivered.')
        await noticeRound(app)
        await app.database.query('UPDATE notice_message SET due_at = created_at WHERE delivered_at IS NULL')
        await systemClock.sleep(2)
      }
      const notices = [...messages.values()].flatMap(({ body }) => (JSON.parse(body) as NoticeBody).data.notices)
      const finished = notices.filter(({ key, change }) => key.startsWith('summary ') && change === 'recovered')
      const { rows: runs } = await app.database.query<{ key: string }>(
        `SELECT 'summary ' || id AS key FROM run WHERE state = 'published' AND adopts IS NULL`,
      )
      expect(finished.map(({ key }) => key).toSorted()).toEqual(runs.map(({ key }) => key).toSorted())
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
}
