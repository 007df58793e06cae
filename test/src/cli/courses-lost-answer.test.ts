// What credsync courses says when the answer of a change is lost on the way, and that it sends once.

import { describe, expect, test } from 'vitest'
import { openCoursesPlace, unshown, writeWhole } from './courses-place.ts'

const create = '/api/institute/v1/course'
/** In the body of create and update alone. */
const form = 'name="courseNumber"'

describe('a new course whose answer is lost', () => {
  test.each([
    ['lose-answer', 0, 'but the service shows it: the course was created.', 1],
    ['lose-request', 4, 'Two looks show that it was not done. Run the command again', 0],
  ] as const)(
    'finds out what became of it when the network does %s, and sends once',
    async (mischief, code, words, made) => {
      const place = await openCoursesPlace()
      const file = await writeWhole(place)
      place.proxy.spoilIfBody(create, form, mischief)
      const told = await place.run(['create', file, '--yes'])
      expect(told.stderr).toContain(words)
      expect([told.code, place.changes().length]).toEqual([code, made])
      expect(place.proxy.seen.filter((path) => path === create)).toHaveLength(1)
    },
  )
})

describe('an update whose answer is lost', () => {
  test.each([
    ['lose-answer', 0, 'but the service shows it: the course was changed.', 2],
    ['lose-request', 4, 'Two looks show that it was not done.', 1],
  ] as const)('is told by what the course shows after %s, and is sent once', async (mischief, code, words, changes) => {
    const place = await openCoursesPlace()
    const uuid = (await place.run(['create', await writeWhole(place), '--yes'])).stdout.trim()
    await place.write('change.yaml', `price: 99\n${unshown}`)
    place.proxy.spoilIfBody(`${create}/${uuid}`, form, mischief)
    const told = await place.run(['update', uuid, 'change.yaml', '--yes', '--json'])
    expect(told.stderr).toContain(words)
    expect(JSON.parse(told.stdout).happened).toBe(code === 0 ? 'yes' : 'no')
    expect([told.code, place.changes().length]).toEqual([code, changes])
    expect(place.proxy.seen.filter((path) => path === `${create}/${uuid}`)).toHaveLength(1)
  })

  test('is left to a person where the service shows nothing of it', async () => {
    const place = await openCoursesPlace()
    const uuid = (await place.run(['create', await writeWhole(place), '--yes'])).stdout.trim()
    await place.write('change.yaml', unshown)
    place.proxy.spoilIfBody(`${create}/${uuid}`, form, 'lose-answer')
    const told = await place.run(['update', uuid, 'change.yaml', '--yes'])
    expect(told.stderr).toContain('Whether the change was made is unknown.')
    expect(told.code).toBe(3)
  })
})
