// Recipients who are removed from the configuration: what waited for them is forgotten, and raises no alarm any more.

import { expect, test } from 'vitest'
import { tidyNotices } from '#jobs/notices/tidy-notices.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { type NoticeWorld, openNoticeWorld } from '#test/support/notice-world.ts'

const minute = 60_000
const hour = 60 * minute

/** The configuration has only these recipients from now on; without any, it has no `notify`. */
function configure({ tools }: NoticeWorld, names: readonly string[]): void {
  const { settings, recipients } = tools.notices
  const to = Object.fromEntries(Object.entries(settings?.to ?? {}).filter(([name]) => names.includes(name)))
  Object.assign(tools, {
    notices: {
      ...tools.notices,
      settings: settings && names.length > 0 ? { ...settings, to } : null,
      recipients: recipients.filter(({ name }) => names.includes(name)),
    },
  })
}

async function openWorldWithUnreachable(): Promise<NoticeWorld> {
  const world = await openNoticeWorld({
    notify: ({ hooks }) => ({
      to: { ops: { email: ['ops@example.org'], on: ['away'] }, gone: { slack: `${hooks}/services/T0/B0/x` } },
    }),
  })
  world.hooks.on('/services', (_, response) => response.writeHead(404).end('no_team'))
  await world.ledger.publish(recipients(1))
  await world.ledger.database.query(
    `UPDATE run SET state = 'braked', braked_at = $1, would_accept = 900, braked_because = 'It is too many.'`,
    [world.now()],
  )
  for (let passed = 0; passed < 4; passed++) await world.pass(10 * minute)
  return world
}

test('raise no alarm any more, and nobody reads that they can be reached again', async () => {
  await using world = await openWorldWithUnreachable()
  const { notices } = world.ledger.ledger
  const gone = async () => (await notices.recipients()).find(({ recipient }) => recipient === 'gone')
  expect(world.subjects()).toEqual([expect.stringContaining('messages to gone cannot be delivered')])
  expect(await gone()).toMatchObject({ waiting: 1, failingSince: expect.any(Date) })

  configure(world, ['ops'])
  await tidyNotices(world.tools)
  // Another worker may still have the recipient.
  expect(await gone()).toMatchObject({ waiting: 1 })
  await world.pass(2 * hour)
  for (let time = 0; time < 2; time++) await tidyNotices(world.tools)
  expect(await gone()).toBeUndefined()
  expect(world.logged.filter(({ event }) => event === 'notice.forgotten')).toEqual([
    { event: 'notice.forgotten', fields: { target: 'gone' } },
  ])
  expect(await notices.open()).toMatchObject([{ kind: 'person' }])
  await world.pass(hour)
  expect(world.subjects().join()).not.toContain('are delivered again')
})

test('end all notices if they were the last ones', async () => {
  await using world = await openWorldWithUnreachable()
  configure(world, [])
  await world.pass(2 * hour)
  await tidyNotices(world.tools)
  const { notices } = world.ledger.ledger
  expect(await notices.open()).toEqual([])
  expect((await notices.recipients()).filter(({ waiting, failingSince }) => waiting > 0 || failingSince)).toEqual([])
})
