// Kills the program with SIGKILL in the middle and starts it again with the same command. The sandbox's records must
// show that each person got exactly one credential.

import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { type KilledRun, killAndRerun } from '#test/support/kill-and-rerun.ts'
import { imageOf, peopleZip } from '#test/support/portraits.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'

/**
 * Twelve batches are enough for a kill between them. Each further batch adds another scan of the report every tenth
 * of a second.
 */
const list = listOf(120)
const batch = { size: 10 }

const accepted = (count: number) => async (world: World) => world.sandbox.journal().invitesAccepted >= count

/** When the program is killed. The crash suite (test/guarantees/crash) covers the points in between. */
const killMoments: { name: string; list: KilledRun['list']; shouldKill: KilledRun['shouldKill'] }[] = [
  {
    name: 'while the file is being read',
    // The list is long enough for the kill to happen while it is being read.
    list: listOf(300),
    shouldKill: async ({ app }) => (await app.database.query('SELECT FROM staged_row LIMIT 1')).rowCount > 0,
  },
  {
    name: 'while the report is followed',
    list,
    shouldKill: async ({ app }) => (await app.database.query('SELECT FROM report_claim LIMIT 1')).rowCount > 0,
  },
]

// These tests run concurrently, because each mostly waits for the pace of its sandbox.
describe.concurrent('a run that was killed and started again gives each person exactly one credential', () => {
  describeWithDatabase('on PostgreSQL', () => {
    test.each(killMoments)('$name', async ({ list, shouldKill }) => {
      // Rows stay in progress so long that the run cannot finish between its first item in the report and the kill.
      await using world = await openWorld({ sandbox: { pace: { queueMs: 50, progressMs: 3_000 } } })
      await killAndRerun(world, { list, batch, shouldKill })
    })

    test('with each person’s own image, between batches that are uploaded as files', async () => {
      await using world = await openWorld()
      const upload = { size: 10, mode: 'upload' }
      const zip = { name: 'list.zip', content: peopleZip(1, 100), people: 100 }
      await killAndRerun(world, { list: zip, batch: upload, shouldKill: accepted(3) })
      const wrong = world.sandbox.requests().filter(({ student, image }) => {
        const person = Number(/\d+/.exec(String(student.Email))?.[0])
        return person <= zip.people && image !== hash('sha256', imageOf(person))
      })
      expect(wrong).toEqual([])
    })
  })

  describeWithRedis('on Redis', ({ url }) => {
    // With Redis several workers may run, so a dead worker is detected only after some time without a heartbeat.
    test('between batches', async () => {
      await using world = await openWorld({ redisUrl: url })
      await killAndRerun(world, { list, batch, shouldKill: accepted(6), redisUrl: url })
    })
  })
})

function listOf(people: number): KilledRun['list'] {
  return { name: 'list.csv', content: peopleCsv(people), people }
}
