// Changed rows that are over are marked by a worker that notifies nobody, too: the console counts them with each overview.

import { expect, test } from 'vitest'
import { startNoticeLoop } from '#jobs/notices/notice-loop.ts'
import { aRecipient } from '#test/support/domain-objects.ts'
import { publish } from '#test/support/test-ledger.ts'
import { until } from '#test/support/until.ts'
import { openWorld } from '#test/support/world.ts'

test('a changed row that is over is marked without `notify`', async () => {
  await using world = await openWorld()
  const { ledger, database, notices } = world.app
  expect(notices.settings).toBe(null)
  // The list names a person twice, with other data: that is no difference from the credential.
  await publish(ledger, [aRecipient(1), aRecipient(1, { Grade: 'A' })], { name: 'twice.csv' })
  const unmarked = async () =>
    (await database.query('SELECT FROM run_row WHERE changed_fields IS NOT NULL AND NOT change_over')).rowCount
  expect(await unmarked()).toBe(1)
  const loop = startNoticeLoop(world.app, true)
  await using _ = { [Symbol.asyncDispose]: async () => void (await loop?.stop()) }
  await until('the mark', async () => (await unmarked()) === 0)
})
