// What goes wrong with one notice or one recipient does not silence the others: faults while the ledger is read, and
// notices are decided and messages composed, and servers that take their time.

import { expect, test } from 'vitest'
import { decisionRound } from '#jobs/notices/notice-loop.ts'
import { openMessageSender } from '#jobs/notices/send-messages.ts'
import type { NoticeStep } from '#src/extensions/notices/ledger/notice-store.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { aBadRow, recipients } from '#test/support/domain-objects.ts'
import { partsOf } from '#test/support/mail-server.ts'
import { type NoticeWorld, openNoticeWorld } from '#test/support/notice-world.ts'
import { until } from '#test/support/until.ts'

const minute = 60_000
const signal = new AbortController().signal

/** Opens a notice that the ledger does not show, for these recipients. */
async function opens({ tools }: NoticeWorld, recipients: string[], step: Partial<NoticeStep> = {}): Promise<void> {
  const now = tools.clock.now()
  const about = { key: 'person stopped', kind: 'person', pipeline: null, facts: { about: 'stopped', reason: 'No.' } }
  const opening = { do: 'open', ...about, since: now, recipients, ...step } as NoticeStep
  await tools.ledger.notices.apply([opening], now)
}

/** Nothing can be decided any more, so that what a test has opened stays open. */
const breakDecisions = ({ ledger }: NoticeWorld) =>
  ledger.database.query('ALTER TABLE notice_watch RENAME TO notice_watch_of_another_version')

/** A list of one person, which is finished, and an invalid row. */
async function finishes({ ledger }: NoticeWorld, name: string, person: number): Promise<string> {
  const run = await ledger.publish(recipients(1, person), { name, more: [aBadRow(9)] })
  await ledger.answer(await ledger.send(), { class: 'refused', words: 'No.' })
  await ledger.ledger.runs.settle()
  await ledger.ledger.writeBacks.noteReported(run, 1)
  return run
}

const faultsOf = ({ logged }: NoticeWorld) =>
  logged.filter(({ event }) => event === 'fault').map(({ fields }) => fields.where)

test('a fault while notices are decided does not keep back what was decided before', async () => {
  await using world = await openNoticeWorld()
  await breakDecisions(world)
  await opens(world, ['ops'])
  await world.pass(minute)
  expect(world.subjects()).toEqual([expect.stringContaining('nothing is sent until a person has checked')])
  expect(faultsOf(world)).toContain('decide notices')
})

test('a reading that fails ends no notice, and the others are decided', async () => {
  await using world = await openNoticeWorld()
  const { database } = world.ledger
  await opens(world, ['ops'])
  const service = { about: 'service', problem: 'HTTP 503.' }
  await opens(world, ['ops'], { key: 'away service', kind: 'away', facts: service } as Partial<NoticeStep>)
  await database.query('ALTER TABLE obstacle RENAME TO obstacle_of_another_version')
  await world.round()
  const openKeys = async () => (await world.ledger.ledger.notices.open()).map(({ key }) => key)
  expect(await openKeys()).toEqual(['away service'])
  expect(faultsOf(world)).toEqual(['read obstacles for notices'])
  await database.query('ALTER TABLE obstacle_of_another_version RENAME TO obstacle')
  await world.round()
  expect(await openKeys()).toEqual([])
})

test('a list whose invalid rows cannot be read is summarized without them, and the others with theirs', async () => {
  await using world = await openNoticeWorld()
  const { ledger } = world
  await world.round()
  const [unreadable] = [await finishes(world, 'first.csv', 1), await finishes(world, 'second.csv', 2)]
  await ledger.database.query(`UPDATE run_row SET violations = '1' WHERE run_id = $1 AND outcome = 'invalid'`, [
    unreadable,
  ])
  await world.pass(minute)
  const { text } = partsOf(world.mail.received[0] as never)
  expect(text).toMatch(/first\.csv is finished[\s\S]*second\.csv is finished/)
  expect(text.match(/1 invalid row \(9\): Email, rule required/g)).toHaveLength(1)
  expect(faultsOf(world)).toEqual(['read invalid rows'])
})

test('a notice that cannot be composed for one recipient does not silence the others', async () => {
  await using world = await openNoticeWorld({
    notify: () => ({
      to: { first: { email: ['first@example.org'] }, second: { email: ['second@example.org'] } },
    }),
  })
  const facts = { about: 'missing', due: 'at no time', timeZone: 'Nowhere', minRows: 1 }
  await opens(world, ['first'], { key: 'missing list spring', facts })
  await opens(world, ['second'])
  await breakDecisions(world)
  await world.pass(minute)
  expect(world.mail.received.map(({ to }) => to)).toEqual([['second@example.org']])
  expect(faultsOf(world)).toContain('compose messages')
})

test('a mail server that takes its time delays no other recipient, and no second worker sends to it', async () => {
  await using world = await openNoticeWorld({
    notify: ({ hooks }) => ({
      to: { slow: { email: ['slow@example.org'] }, quick: { slack: `${hooks}/services/T0/B0/x` } },
      group: '1ms',
    }),
  })
  world.hooks.on('/services', (_, response) => response.writeHead(200).end('ok'))
  const accepts = Promise.withResolvers<void>()
  let tries = 0
  world.mail.beforeAccepting = () => {
    tries++
    return accepts.promise
  }
  await breakDecisions(world)
  Object.assign(world.tools.clock, { now: systemClock.now })
  const workers = [openMessageSender(world.tools, signal), openMessageSender(world.tools, signal)]
  const round = async () => {
    await decisionRound(world.tools)
    for (const worker of workers) await worker.round()
  }
  await opens(world, ['slow', 'quick'])
  await until('the first message to both', async () => {
    await round()
    return tries > 0 && world.hooks.seen.length === 1
  })
  await opens(world, ['slow', 'quick'], { key: 'person stopped again' })
  await until('the second message to the other', async () => {
    await round()
    return world.hooks.seen.length === 2
  })
  expect(tries).toBe(1)
  accepts.resolve()
  for (const worker of workers) await worker.idle()
  expect(world.mail.received).toHaveLength(1)
  const lock = await world.tools.ledger.locks.hold('messages')
  expect(lock).not.toBeNull()
  await lock?.release()
})
