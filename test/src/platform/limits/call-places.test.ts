// How many calls may be under way at the same time.

import { expect, test } from 'vitest'
import { type CallPlaces, callsNeeded, openCallPlaces, type Place } from '#src/platform/limits/call-places.ts'
import { LimitsClosedError } from '#src/platform/limits/limits-closed-error.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { steppedClock } from '#test/support/clock.ts'

/** A clock that moves on with every reading, so that whatever happens later has a later time. */
function tickingClock(): Clock {
  let now = 0
  return { now: () => new Date(now), monotonicMs: () => ++now, sleep: async () => {} }
}

const of60 = (max = 32) => openCallPlaces({ perSecond: 60, max }, tickingClock())
const usual = { waitedMs: 20, answerMs: 150, ownMs: 30 }

interface Call {
  place: Place
  end(): Promise<void>
}

/** Begins calls until one of them has to wait. That one begins when another ends, and is then in `begun`. */
async function fill(places: CallPlaces, begun: Call[] = []): Promise<Call[]> {
  for (let asked = begun.length; asked <= begun.length; asked++) {
    const ended = Promise.withResolvers<void>()
    const running = places.run((place) => {
      begun.push({
        place,
        async end() {
          ended.resolve()
          await running
        },
      })
      return ended.promise
    })
    running.catch(() => {})
    await settle()
  }
  return begun
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

/** Lets one call after the other be answered. */
async function answer(places: CallPlaces, count: number, times = usual): Promise<void> {
  for (let call = 0; call < count; call++) await places.run(async (place) => place.noteAnswer(times))
}

test.each([
  ['an answer after 150 ms and 30 ms of our own', usual, 14],
  ['an answer after 350 ms', { answerMs: 350, ownMs: 30 }, 26],
  ['an answer at once', { answerMs: 1, ownMs: 10 }, 4],
  ['a busy machine, where more calls at once would only wait for each other', { answerMs: 150, ownMs: 3_000 }, 18],
])('the limit of 60 is used whole with %s', (_, times, calls) => {
  expect(callsNeeded(60, times)).toBe(calls)
})

test('the places follow from the limit and the time of an answer, without a setting', async () => {
  const places = of60()
  expect(places.count()).toBe(4)
  await answer(places, 5)
  expect(places.count()).toBe(9)
  await answer(places, 100)
  expect(places.count()).toBe(14)
  await answer(places, 100, { ...usual, answerMs: 400 })
  expect(places.count()).toBe(29)
  await answer(places, 100, { ...usual, answerMs: 20, ownMs: 5 })
  expect(places.count()).toBe(5)
})

test('there are never more than the setting allows', async () => {
  const places = of60(6)
  await answer(places, 100, { ...usual, answerMs: 5_000 })
  expect(places.count()).toBe(6)
  expect(of60(1).count()).toBe(1)
})

test('workers that share a limit each take fewer places, until their calls hardly wait for the limit', async () => {
  const perSecond = 60
  const workers = Array.from({ length: 4 }, () => ({ places: of60(), calls: [] as Call[] }))
  const totalOf = () => workers.reduce((sum, { places }) => sum + places.count(), 0)
  for (let round = 0; round < 200; round++) {
    const total = totalOf()
    // What is not under way at the service waits at the gate.
    const waitedMs = Math.max(0, ((total - (perSecond * 180) / 1_000) / perSecond) * 1_000)
    for (const { places, calls } of workers) {
      await fill(places, calls)
      const oldest = calls.shift()
      oldest?.place.noteAnswer({ ...usual, waitedMs })
      await oldest?.end()
    }
  }
  expect(totalOf(), 'enough for the limit').toBeGreaterThanOrEqual(11)
  expect(totalOf(), 'less than four times as many as one needs').toBeLessThan(30)
})

test('places are given up while more than four calls wait for the limit at the same time', async () => {
  const places = of60()
  await answer(places, 6)
  const calls = await fill(places)
  expect(calls).toHaveLength(10)
  const counts = calls.map(({ place }) => {
    place.noteAnswer({ ...usual, waitedMs: 600 })
    return places.count()
  })
  // Of ten calls that wait 120 ms, with 180 ms for the rest, four wait at the same time.
  expect(counts).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
})

test('a call that is alone may wait as long as it has to: Redis is far away, or its log is empty', async () => {
  const places = of60()
  await answer(places, 1, { ...usual, waitedMs: 1_100 })
  expect(places.count()).toBe(5)
  await answer(places, 3, { ...usual, waitedMs: 200 })
  expect(places.count()).toBe(8)
})

test('a call that began in the millisecond of an unknown outcome says nothing about what came after', async () => {
  const places = openCallPlaces({ perSecond: 60, max: 32 }, steppedClock())
  await places.run(async (place) => {
    place.noteUnknown()
    place.noteAnswer(usual)
  })
  expect(places.count()).toBe(1)
})

test('a slow answer among quick ones changes little', async () => {
  const places = of60()
  await answer(places, 100)
  await answer(places, 1, { ...usual, answerMs: 600 })
  await answer(places, 1)
  expect(places.count()).toBe(16)
})

test('a call waits until there is a place for it, and then begins in its turn', async () => {
  const places = of60(2)
  const calls = await fill(places)
  expect(calls).toHaveLength(2)
  await calls[0]?.end()
  await settle()
  expect(calls).toHaveLength(3)
})

test('a call that fails leaves its place to the next one', async () => {
  const places = of60(1)
  await expect(places.run(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
  expect(await places.run(async () => 'sent')).toBe('sent')
})

test('after an unknown outcome the next call begins when all others have ended, and the others follow its answer', async () => {
  const places = of60()
  const calls = await fill(places)
  expect(calls).toHaveLength(4)
  for (const call of calls.slice(0, 3)) {
    call.place.noteUnknown()
    await call.end()
  }
  await settle()
  expect(calls, 'while one of the old calls is under way').toHaveLength(4)
  // It began before the trouble, and says nothing about what is now.
  calls[3]?.place.noteAnswer(usual)
  await calls[3]?.end()
  await settle()
  expect(calls, 'one call alone').toHaveLength(5)
  expect(places.count()).toBe(1)
  calls[4]?.place.noteAnswer(usual)
  expect(places.count()).toBe(2)
  await answer(places, 20)
  expect(places.count()).toBe(14)
})

test('whoever waits when the worker stops is turned away, and who is under way ends', async () => {
  const places = of60(1)
  const calls = await fill(places)
  const next = places.run(async () => 'never')
  places.stop()
  await expect(next).rejects.toThrow(new LimitsClosedError('calls'))
  await expect(places.run(async () => 'never')).rejects.toThrow(new LimitsClosedError('calls'))
  await calls[0]?.end()
})
