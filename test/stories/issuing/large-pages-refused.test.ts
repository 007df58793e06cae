// A list is issued although the service refuses large pages of its report and of its lists.

import { expect, test } from 'vitest'
import { collectItems } from '#src/issuer/lists/walk-list.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { issueList } from '#test/support/revocation-steps.ts'
import { openWorld, peopleCsv, timesIssued } from '#test/support/world.ts'

describeWithDatabase('a service that refuses more than twenty records per page', () => {
  test('still issues credentials for a list of thirty people', async () => {
    const events: { name: string; fields: object }[] = []
    const event = (name: string, fields: object = {}) => void events.push({ name, fields })
    await using world = await openWorld({
      sandbox: { faults: { maxRecordsPerPage: 20 } },
      appOptions: { log: { event } },
    })
    await issueList(world, 'list.csv', peopleCsv(30))
    expect((await world.app.ledger.runs.list())[0]).toMatchObject({ accepted: 30 })
    expect([...timesIssued(world.sandbox).values()]).toEqual(Array(30).fill(1))

    const { items, complete } = await collectItems(world.app.issuer.listTemplates())
    expect([items.length > 0, complete]).toEqual([true, true])
    expect(events).toContainEqual({ name: 'pages.smaller', fields: { where: 'template-list', size: 12 } })
  })
})
