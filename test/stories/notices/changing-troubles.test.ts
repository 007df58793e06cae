// Troubles that change while they last, and configurations that change meanwhile: whoever was notified of a trouble reads
// of its end, and nobody reads of an end that is none.

import { expect, test } from 'vitest'
import { recipients } from '#test/support/domain-objects.ts'
import { headerOf } from '#test/support/mail-server.ts'
import { type NoticeWorld, openNoticeWorld, webhookSecret } from '#test/support/notice-world.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

test('outcomes that nobody delivers any more are not reported without end', async () => {
  const hooks = { to: 'webhook', url: 'https://hooks.example.org/credsync', secret: webhookSecret }
  await using world = await openNoticeWorld({
    notify: () => ({ to: { ops: { email: ['ops@example.org'], on: ['stuck'] } } }),
    pipeline: { writeBack: [hooks] },
  })
  await world.ledger.publish(recipients(1))
  await world.ledger.database.query(
    `INSERT INTO delivery (issuance_id, target, wanted, state, refused) SELECT id, $1, 'held', 'pending', true FROM issuance`,
    [world.tools.notices.targets[0]?.name],
  )
  await world.pass(0)
  world.configure({ spring: {} })
  for (let passed = 0; passed < 3; passed++) await world.pass(day)
  expect(world.subjects()).toEqual([
    'credsync (development): spring: outcomes cannot be delivered',
    expect.stringMatching(/: No longer watched: spring: outcomes cannot be delivered/),
  ])
})

const braked = async (world: NoticeWorld, state: 'braked' | 'refused') =>
  world.ledger.database.query(
    `UPDATE run SET state = $1, braked_at = $2, would_accept = 900, braked_because = 'It is too many.', settled_at = CASE WHEN $1 = 'refused' THEN $2::timestamptz END`,
    [state, world.now()],
  )
const read = ({ mail }: NoticeWorld, name: string) =>
  mail.received.filter(({ to }) => to[0] === `${name}@example.org`).map((each) => headerOf(each, 'subject'))
const by = (name: string, ...on: string[]) => ({ [name]: { email: [`${name}@example.org`], on } })

test('a recipient who is added reads of what is open already, once, and of its end', async () => {
  await using world = await openNoticeWorld({ notify: () => ({ to: by('ops', 'person') }) })
  await world.ledger.publish(recipients(1))
  await braked(world, 'braked')
  await world.pass(0)
  world.configure({ spring: {} }, { ...by('ops', 'person'), ...by('office', 'person'), ...by('other', 'away') })
  for (let passed = 0; passed < 3; passed++) await world.pass(2 * hour)
  expect(read(world, 'office')).toEqual([
    expect.stringMatching(/^credsync \(development\): spring: 1 list is held by the brake \(for 2h\b.*\)$/),
  ])
  await braked(world, 'refused')
  await world.pass(hour)
  for (const name of ['ops', 'office']) {
    expect(read(world, name)).toHaveLength(2)
    expect(read(world, name)[1]).toContain('Over: spring: no list is held by the brake any more')
  }
  expect(read(world, 'other')).toEqual([])
})

test('whoever read of a trouble reads of its end, even if that kind is not theirs any more', async () => {
  await using world = await openNoticeWorld({
    notify: () => ({ to: { ...by('ops', 'person'), ...by('office', 'all') } }),
  })
  await world.ledger.publish(recipients(1))
  await braked(world, 'braked')
  await world.pass(0)
  world.configure({ spring: {} }, { ...by('ops', 'away'), ...by('office', 'all') })
  await world.pass(day)
  await braked(world, 'refused')
  await world.pass(hour)
  expect(read(world, 'ops')).toEqual([
    expect.stringContaining('spring: 1 list is held by the brake'),
    expect.stringContaining('Over: spring: no list is held by the brake any more'),
  ])
})
