// A system that throttles a poll is not asked for its other courses, and is polled again when it asks for that.

import { expect, onTestFinished, test } from 'vitest'
import { pollLms } from '#jobs/lms/poll-lms.ts'
import { openSite } from '#test/src/extensions/lms/canvas/open-site-and-client.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'
import { openWorld } from '#test/support/world.ts'

/** Opens a world with three pipelines of one Canvas site, and no worker. */
async function openThreeCourses() {
  const canvas = await openSite()
  const log = openRecordedLog()
  const source = (course: string) => ({ system: 'campus', course })
  const world = await openWorld({
    pipeline: {
      source: source('sis_course_id:CS/101.11é'),
      columns: { Email: 'email', 'Primary Value': { value: 'Email' } },
    },
    morePipelines: (first) => ({
      autumn: { ...first, source: source('sis_course_id:OTHER-1') },
      winter: { ...first, source: source('sis_course_id:OTHER-2') },
    }),
    file: { systems: { campus: { type: 'canvas', url: canvas.url, token: canvas.token, every: '1d', perSecond: 50 } } },
    appOptions: { log },
  })
  onTestFinished(() => world[Symbol.asyncDispose]())
  const { ledger, database } = world.app
  await ledger.learningSystems.register(['campus'])
  const poll = async () => {
    await database.query('UPDATE learning_system SET due_at = clock_timestamp()')
    await pollLms(world.app, { system: 'campus' })
    const { rows } = await database.query<{ seconds: number }>(
      'SELECT extract(epoch FROM due_at - clock_timestamp())::float AS seconds FROM learning_system',
    )
    return rows[0]?.seconds ?? 0
  }
  return { canvas, log, ledger, poll }
}

describeWithDatabase('a poll that a system throttles', () => {
  test('is retried after half a minute, then after longer, and ends once two courses got no answer', async () => {
    const { canvas, log, ledger, poll } = await openThreeCourses()
    canvas.throttle(4)
    expect(await poll()).toBeLessThanOrEqual(30)
    expect(canvas.requests).toHaveLength(2)
    expect((await ledger.learningSystems.statuses())[0]?.problem).toMatch(/throttles our requests/)
    expect(log.lines).toEqual([['system.away', { system: 'campus', error: 'CanvasError', code: null }]])
    expect(await poll()).toBeGreaterThan(30)
    expect(canvas.requests).toHaveLength(4)
  })

  test.each([
    [600, 600],
    [86_400, 1_800],
  ])('with Retry-After: %i ends with the throttled call, and is retried after %i seconds', async (asked, seconds) => {
    const { canvas, poll } = await openThreeCourses()
    canvas.throttle(1, asked)
    const waitS = await poll()
    expect(canvas.requests).toHaveLength(1)
    expect(waitS).toBeGreaterThan(seconds - 30)
    expect(waitS).toBeLessThanOrEqual(seconds)
  })
})
