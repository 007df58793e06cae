// Callers that wait: for a slot, or for a task to end.

import { describe, expect, test } from 'vitest'
import { limitConcurrency } from '#src/platform/limits/limit-concurrency.ts'
import { openWaiters } from '#src/platform/limits/redis-slots.ts'

/** Lets everything happen that does not wait for time. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('callers that wait for a slot', () => {
  test('are served one by one, in their order', async () => {
    const waiters = openWaiters()
    const served: string[] = []
    for (const name of ['first', 'second']) waiters.join().then((ms) => served.push(`${name}: ${ms}`))
    expect(waiters.waiting()).toBe(2)
    expect(waiters.serve()).toBe(true)
    await settle()
    expect(served).toEqual(['first: 0'])
    expect(waiters.waiting()).toBe(1)
    expect([waiters.serve(), waiters.serve()]).toEqual([true, false])
    await settle()
    expect(served).toEqual(['first: 0', 'second: 0'])
  })

  test('are all sent away with the time until they may try again', async () => {
    const waiters = openWaiters()
    const both = Promise.all([waiters.join(), waiters.join()])
    waiters.sendAway(250)
    expect(await both).toEqual([250, 250])
    expect(waiters.waiting()).toBe(0)
  })

  test('leave when they are aborted, with the reason', async () => {
    const waiters = openWaiters()
    const abort = new AbortController()
    const gone = waiters.join(abort.signal)
    const stays = waiters.join()
    abort.abort(new Error('stopping'))
    await expect(gone).rejects.toThrow('stopping')
    expect(waiters.waiting()).toBe(1)
    await expect(waiters.join(abort.signal)).rejects.toThrow('stopping')
    expect(waiters.waiting()).toBe(1)
    waiters.serve()
    expect(await stays).toBe(0)
  })

  test('have a signal that is aborted when the last one has left, and then another one', async () => {
    const waiters = openWaiters()
    const abort = new AbortController()
    const gone = waiters.join(abort.signal)
    const served = waiters.join()
    const signal = waiters.noneWaitingSignal()
    abort.abort()
    await expect(gone).rejects.toThrow()
    expect(signal.aborted).toBe(false)
    waiters.serve()
    await served
    expect(signal.aborted).toBe(true)
    expect(waiters.noneWaitingSignal().aborted).toBe(false)
  })

  test('cannot leave again after they were served', async () => {
    const waiters = openWaiters()
    const abort = new AbortController()
    const served = waiters.join(abort.signal)
    waiters.serve()
    const signal = waiters.noneWaitingSignal()
    abort.abort()
    expect(await served).toBe(0)
    expect(signal.aborted).toBe(false)
  })
})

describe('tasks of which only some may run', () => {
  test('begin in their order as others end, even if those fail', async () => {
    const limited = limitConcurrency(2)
    const events: string[] = []
    const ends = new Map<string, PromiseWithResolvers<void>>()
    const tasks = ['a', 'b', 'c', 'd'].map((name) =>
      limited(() => {
        const end = Promise.withResolvers<void>()
        ends.set(name, end)
        events.push(name)
        return end.promise
      }),
    )
    await settle()
    expect(events).toEqual(['a', 'b'])
    ends.get('b')?.reject(new Error('b failed'))
    await expect(tasks[1]).rejects.toThrow('b failed')
    await settle()
    expect(events).toEqual(['a', 'b', 'c'])
    for (const name of ['a', 'c']) ends.get(name)?.resolve()
    await settle()
    expect(events).toEqual(['a', 'b', 'c', 'd'])
    ends.get('d')?.resolve()
    await Promise.all([tasks[0], tasks[2], tasks[3]])
  })

  test('return their results, and leave their places when nothing waits', async () => {
    const limited = limitConcurrency(1)
    expect(await limited(async () => 1)).toBe(1)
    expect(await Promise.all([limited(async () => 2), limited(async () => 3)])).toEqual([2, 3])
    const never = new Promise<void>(() => {})
    let begun = 0
    for (let task = 0; task < 3; task++)
      void limited(() => {
        begun++
        return never
      })
    await settle()
    expect(begun).toBe(1)
  })
})
