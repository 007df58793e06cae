// Somebody is forgotten, and nothing of them is found anywhere. Everything of them was found before, and everything of
// somebody else is found after, so the search is not blind.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { type Canary, canaryIn, gone, stays } from './canary.ts'
import { type Found, openClient, searchDatabase, searchFolder, searchRedis } from './places.ts'
import { count, csvOf, forgetCompletely, openScene, playScene, rowOf, type Scene } from './scenes.ts'

async function searchEverywhere(scene: Scene, redisUrl: string, canary: Canary): Promise<Found> {
  const { world } = scene.campus
  const client = await openClient(world.databaseUrl)
  try {
    return {
      ...(await searchDatabase(client, canary)),
      ...(await searchRedis(redisUrl, canary)),
      ...(await searchFolder(world.folder, canary, scene.sources)),
      ...(await searchFolder(scene.archive, canary)),
      ...(canaryIn(Buffer.from(scene.log()), canary).length > 0 && { log: canaryIn(Buffer.from(scene.log()), canary) }),
    }
  } finally {
    await client.end()
  }
}

/** What was found before and is not found any more. More may be found by then, such as a results file written later. */
const lostFrom = (before: Found, after: Found) =>
  Object.entries(before).flatMap(([place, values]) =>
    values.filter((value) => !after[place]?.includes(value)).map((value) => `${place}: ${value}`),
  )

const valuesIn = (found: Found) => [...new Set(Object.values(found).flat())].toSorted()

describeWithDatabase('somebody who is forgotten', () => {
  describeWithRedis('after everything that the program does with a person', ({ url }) => {
    test('is nowhere, was everywhere, and everybody else still is', async () => {
      await using scene = await openScene(url)
      await playScene(scene)
      const before = await searchEverywhere(scene, url, gone)
      const others = await searchEverywhere(scene, url, stays)
      expect(valuesIn(before)).toEqual(Object.keys(gone).toSorted())
      await forgetCompletely(scene, gone)
      expect(await searchEverywhere(scene, url, gone)).toEqual({})
      expect(lostFrom(others, await searchEverywhere(scene, url, stays))).toEqual([])
      expect(await count(scene, 'erasure WHERE ended_at IS NOT NULL')).toBe(1)

      const sent = scene.campus.world.sandbox.requests().length
      await scene.list('next.csv', csvOf(rowOf(gone, { Photo: '' }), rowOf(stays, { Photo: '' })))
      expect(scene.campus.world.sandbox.requests()).toHaveLength(sent)
      expect(await searchEverywhere(scene, url, gone)).toEqual({})
    })
  })
})
