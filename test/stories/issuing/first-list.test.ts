// The first list of a course: together with a second list, with other courses, and with a report that cannot be read.

import { expect, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { workNames } from '#src/cli/job-actions.ts'
import type { EventName } from '#src/platform/log/events.ts'
import { csv, issueElsewhere, students } from '#test/src/cli/issued-elsewhere.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'

async function runWorker({ app }: World, stack: AsyncDisposableStack) {
  const worker = await startWorker(app, workNames)
  stack.defer(async () => void (await worker?.stop()))
}

const statesOf = async ({ app }: World) => (await app.ledger.runs.list()).map(({ state }) => state)
const reports = ({ wire }: World) => wire.seen.filter((path) => path.endsWith('/student/report')).length

describeWithDatabase('the first list of a course', () => {
  test('and a second list received with it both wait for an operator’s decision, after one scan of the report', async () => {
    await using world = await openWorld()
    await using stack = new AsyncDisposableStack()
    await issueElsewhere(world, students(5))
    await world.receive('one.csv', csv(students(5)))
    await world.receive('two.csv', csv(students(5, 100)))
    await runWorker(world, stack)
    await until('both to be braked', async () => (await statesOf(world)).every((state) => state === 'braked'))
    // The newest page of the report shows everything.
    expect(reports(world)).toBe(1)
    expect(world.sandbox.requests()).toHaveLength(5)
  })

  test('is not held back by credentials of other courses in the report', async () => {
    const autumnPipeline = (first: Record<string, unknown>, sandbox: World['sandbox']) => {
      const course = sandbox.courses[1]
      const otherCourse = {
        course: course?.uuid,
        template: course?.templateUuid,
        badgeTemplate: course?.badgeTemplateUuid,
      }
      return { autumn: { ...first, ...otherCourse } }
    }
    await using world = await openWorld({ morePipelines: autumnPipeline })
    await using stack = new AsyncDisposableStack()
    await issueElsewhere(world, students(5), 1)
    await runWorker(world, stack)
    await world.receive('list.csv', peopleCsv(30))
    const settled = async (count: number) =>
      (await world.app.ledger.runs.list()).filter(({ settledAt }) => settledAt !== null).length === count
    await until('the list to be issued', () => settled(1))
    expect(world.sandbox.requests()).toHaveLength(35)
    // The other course is in the report: five credentials issued elsewhere.
    const autumn = await world.app.ledger.runs.receive({ ...(await sourceOf(world)), pipeline: 'autumn' })
    await until(
      'the other list to be braked',
      async () => (await world.app.ledger.runs.find(autumn.run.id))?.state === 'braked',
    )
    expect((await world.app.ledger.runs.find(autumn.run.id))?.brake?.because).toContain('already shows 5 credentials')
  })

  test('waits while the report cannot be read, reports that, and continues automatically', async () => {
    const waited: { invited: number; waits: string | null | undefined }[] = []
    let world: World | null = null
    const event = async (name: EventName) => {
      if (name !== 'run.waits' || !world) return
      const invited = world.sandbox.requests().length
      const [run] = await world.app.ledger.runs.list()
      waited.push({ invited, waits: run?.waits })
    }
    const log = { event: (name: EventName) => void event(name).catch(() => {}) }
    await using opened = await openWorld({ appOptions: { log } })
    await using stack = new AsyncDisposableStack()
    world = opened
    // These are more failures than there are retries with ever smaller pages.
    opened.wire.spoil('/student/report', { status: 400, body: '{}' }, 20)
    await opened.receive('list.csv', peopleCsv(3))
    await runWorker(opened, stack)
    await until('all credentials', () => opened.sandbox.requests().length === 3)
    expect(waited.length).toBeGreaterThan(0)
    expect(waited.every(({ invited }) => invited === 0)).toBe(true)
    expect(waited[0]?.waits).toContain('The report must be checked for credentials of this course')
    expect((await opened.app.ledger.runs.list())[0]?.waits).toBeNull()
  })
})

async function sourceOf({ app }: World) {
  const [run] = await app.ledger.runs.list()
  if (!run) throw new Error('There is no run.')
  const { sourceName, sourcePath, sourceSha256 } = run
  return { sourceName, sourcePath, sourceSha256 }
}
