// Troubles that change while they last, and configurations that change meanwhile: whoever was notified of a trouble reads
// of its end, and nobody reads of an end that is none.

import { expect, test } from 'vitest'
import { recipients } from '#test/support/domain-objects.ts'
import { openNoticeWorld } from '#test/support/notice-world.ts'

const minute = 60_000
const hour = 60 * minute

test('refused keys are not called accepted while the service is only away', async () => {
  await using world = await openNoticeWorld()
  const meet = (error: string) =>
    world.ledger.ledger.obstacles.note({ subject: 'issue', detail: 'It did not work.', forMs: null, error })
  await meet('KeysRefusedError')
  await world.pass(0)
  await meet('ServiceUnreachableError')
  await world.pass(hour)
  await world.pass(hour)
  expect(world.subjects()).toEqual([
    'credsync (development): the credential service refuses the keys',
    expect.stringContaining('the credential service does not answer (for 1h'),
  ])
  await world.ledger.publish(recipients(1))
  await world.ledger.send()
  await world.pass(hour)
  expect(world.subjects()[2]).toMatch(/Over: the credential service accepts the keys again .*, and 1 more$/)
})
