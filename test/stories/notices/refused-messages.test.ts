// Messages that the server of a recipient refuses for their content: sent once more with counts only, and then given up,
// which the others read. Later messages do not wait behind them.

import { expect, test } from 'vitest'
import { openMetrics } from '#src/web/open-metrics.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { type NoticeWorld, openNoticeWorld } from '#test/support/notice-world.ts'

const minute = 60_000
const hour = 60 * minute

const openRefusingWorld = () =>
  openNoticeWorld({
    notify: ({ hooks }) => ({
      to: {
        ops: { email: ['ops@example.org'], on: ['away'] },
        office: { slack: `${hooks}/services/T0/B0/x`, on: ['refused'] },
      },
      group: '1m',
    }),
  })

/** A list is refused, which the office reads. */
async function refusesList({ ledger: { ledger } }: NoticeWorld, name: string): Promise<void> {
  const { run } = await ledger.runs.receive({
    ...{ pipeline: name, sourceName: `${name}.csv`, sourcePath: `/in/${name}.csv`, sourceSha256: name },
  })
  await ledger.runs.refuse(run.id, 'It has no column e_mail.')
}

const bodies = ({ hooks }: NoticeWorld) => hooks.requests('/services').map(({ body }) => body)

test('a message that is refused for its content arrives with counts only, and the next one as usual', async () => {
  await using world = await openRefusingWorld()
  world.configure({ march: {}, april: {} })
  world.hooks.on('/services', (seen, response) => response.writeHead(seen.body.includes('march') ? 400 : 200).end())
  await refusesList(world, 'march')
  for (let passed = 0; passed < 3; passed++) await world.pass(minute)
  const [whole, short, ...others] = bodies(world)
  expect(whole).toContain('march.csv was refused')
  expect(short).toContain('1 notice (1 refused) that your server refused in full')
  expect(short).toContain('`credsync notices` says what it is')
  expect(others).toEqual([])
  await refusesList(world, 'april')
  for (let passed = 0; passed < 3; passed++) await world.pass(minute)
  expect(bodies(world)).toHaveLength(3)
  expect(bodies(world)[2]).toContain('april.csv was refused')
  expect(await world.ledger.ledger.notices.recipients()).toMatchObject([
    { recipient: 'office', delivered: 2, waiting: 0, givenUp: 0, problem: null },
  ])
})

test('a message that is refused in its short form, too, is given up, and the others read that', async () => {
  await using world = await openRefusingWorld()
  world.configure({ march: {}, april: {} })
  const metrics = openMetrics({ version: '1.2.3', environment: 'development', storage: 'postgresql' }, [])
  Object.assign(world.tools, { log: metrics.countEvents(world.tools.log) })
  world.hooks.on(
    '/services',
    (_, response) => response.writeHead(400).end('invalid_blocks'),
    (_, response) => response.writeHead(413).end(),
    (_, response) => response.writeHead(200).end('ok'),
  )
  await refusesList(world, 'march')
  await world.pass(0)
  await world.pass(0)
  expect(bodies(world)).toHaveLength(2)
  expect(world.logged).toContainEqual({ event: 'notice.abandoned', fields: { target: 'office', channel: 'slack' } })
  // The next message is delivered before the others would be notified of one that merely fails.
  await refusesList(world, 'april')
  for (let passed = 0; passed < 3; passed++) await world.pass(minute)
  expect(bodies(world)).toHaveLength(3)
  expect(bodies(world)[2]).toContain('april.csv was refused')
  expect(world.subjects()).toEqual([expect.stringContaining('a message to office was refused and given up')])
  expect(world.mail.received[0]?.raw).toMatch(/did not accept the message \(HTTP=?\s?=?\s*413\)/)
  expect(await world.ledger.ledger.notices.recipients()).toMatchObject([
    { recipient: 'office', delivered: 1, waiting: 0, givenUp: 1, failingSince: null },
    { recipient: 'ops', delivered: 1 },
  ])
  const { values } = (await metrics.registry.getSingleMetric('credsync_notice_tries_total')?.get()) ?? { values: [] }
  expect(values.filter(({ value }) => value > 0).map(({ labels, value }) => ({ ...labels, value }))).toEqual([
    { channel: 'email', result: 'delivered', value: 1 },
    { channel: 'slack', result: 'delivered', value: 1 },
    { channel: 'slack', result: 'failed', value: 2 },
    { channel: 'slack', result: 'given_up', value: 1 },
  ])
  for (let passed = 0; passed < 3; passed++) await world.pass(30 * minute)
  expect(world.subjects()[1]).toContain('Over: messages to office are delivered again')
})

test('a message that was the last one to its recipient is reported once, and not again while nothing is sent', async () => {
  await using world = await openNoticeWorld({
    notify: ({ hooks }) => ({
      to: {
        ops: { email: ['ops@example.org'], on: ['away'] },
        office: { slack: `${hooks}/services/T0/B0/x`, on: ['summary'] },
      },
    }),
  })
  world.hooks.on('/services', (_, response) => response.writeHead(400).end('invalid_blocks'))
  await world.round()
  const { ledger } = world
  const run = await ledger.publish(recipients(1))
  await ledger.answer(await ledger.send(), { class: 'refused', words: 'No.' })
  await ledger.ledger.runs.settle()
  await ledger.ledger.writeBacks.noteReported(run, 1)
  for (let passed = 0; passed < 5 * 12; passed++) await world.pass(2 * hour)
  expect(bodies(world)).toHaveLength(2)
  expect(world.subjects()).toEqual([
    expect.stringContaining(': a message to office was refused and given up'),
    expect.stringMatching(/: No longer watched: a message to office was refused and given up \(after 2d/),
  ])
  expect(await ledger.ledger.notices.open()).toEqual([])
})
