// The program is killed with SIGKILL in the middle and started again by the same command. The sandbox's book is the judge.

import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { describeWithDatabase } from './support/database.ts'
import { type KilledRun, killAndGoOn } from './support/kill-and-go-on.ts'
import { imageOf, peopleZip } from './support/portraits.ts'
import { describeWithRedis } from './support/redis.ts'
import { openWorld, peopleCsv, type World } from './support/world.ts'

const people = 600
const list = { name: 'list.csv', content: peopleCsv(people), people }
const batch = { size: 10 }

const accepted = (count: number) => async (world: World) => world.sandbox.journal().invitesAccepted >= count

/** What lies between is the crash suite's (test/guarantees/crash), point by point. */
const moments: { name: string; reached: KilledRun['reached'] }[] = [
  {
    name: 'while the file is being read',
    reached: async ({ app }) => (await app.database.query('SELECT FROM staged_row LIMIT 1')).rowCount > 0,
  },
  {
    name: 'while the report is followed',
    reached: async ({ app }) => (await app.database.query('SELECT FROM claim LIMIT 1')).rowCount > 0,
  },
]

// Each of them mostly waits for the pace of its sandbox.
describe.concurrent('a run that was killed and started again issues each person once', () => {
  describeWithDatabase('on PostgreSQL', () => {
    test.each(moments)(
      '$name',
      async ({ reached }) => {
        await using world = await openWorld()
        await killAndGoOn(world, { list, batch, reached })
      },
      120_000,
    )

    test('and with their own image, between batches that are uploaded as files', async () => {
      await using world = await openWorld()
      const upload = { size: 10, mode: 'upload' }
      const zip = { name: 'list.zip', content: peopleZip(1, 200), people: 200 }
      await killAndGoOn(world, { list: zip, batch: upload, reached: accepted(5) })
      const wrong = world.sandbox.requests().filter(({ student, image }) => {
        const person = Number(/\d+/.exec(String(student.Email))?.[0])
        return image !== hash('sha256', imageOf(person))
      })
      expect(wrong).toEqual([])
    }, 120_000)
  })

  describeWithRedis('on Redis', ({ url }) => {
    // Several workers may be alive there, so a dead one is noticed when it has been silent for a while, and not at once.
    test('between batches', async () => {
      await using world = await openWorld({ redisUrl: url })
      await killAndGoOn(world, { list, batch, reached: accepted(15), redisUrl: url })
    }, 120_000)
  })
})
