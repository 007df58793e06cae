// What goes wrong with one notice or one recipient does not silence the others: faults while notices are decided and
// worded, and servers that take their time.

import { expect, test } from 'vitest'
import { decisionRound } from '#jobs/notices/notice-loop.ts'
import { openMessageSender } from '#jobs/notices/send-messages.ts'
import type { NoticeStep } from '#src/ledger/notices/notices.ts'
import { systemClock } from '#src/platform/time/clock.ts'
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

const faultsOf = ({ logged }: NoticeWorld) =>
  logged.filter(({ event }) => event === 'fault').map(({ fields }) => fields.where)

test('a fault while notices are decided does not keep back what was decided before', async () => {
  await using world = await openNoticeWorld()
  await world.ledger.database.query('ALTER TABLE obstacle RENAME TO obstacle_of_another_version')
  await opens(world, ['ops'])
  await world.pass(minute)
  expect(world.subjects()).toEqual([expect.stringContaining('nothing is sent until a person has checked')])
  expect(faultsOf(world)).toContain('decide notices')
})

test('a notice that cannot be worded for one recipient does not silence the others', async () => {
  await using world = await openNoticeWorld({
    notify: () => ({
      to: { first: { email: ['first@example.org'] }, second: { email: ['second@example.org'] } },
    }),
  })
  const facts = { about: 'missing', due: 'at no time', timeZone: 'Nowhere', minRows: 1, came: null }
  await opens(world, ['first'], { key: 'missing list spring', facts })
  await opens(world, ['second'])
  await world.ledger.database.query('ALTER TABLE obstacle RENAME TO obstacle_of_another_version')
  await world.pass(minute)
  expect(world.mail.received.map(({ to }) => to)).toEqual([['second@example.org']])
  expect(faultsOf(world)).toContain('word messages')
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
  await world.ledger.database.query('ALTER TABLE obstacle RENAME TO obstacle_of_another_version')
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
