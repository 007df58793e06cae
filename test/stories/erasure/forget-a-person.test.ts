// A person is forgotten: nothing of them is left in the ledger, their neighbors stay, and the next list that names them
// sends nothing, under whatever address or number it does so.

import { expect, test } from 'vitest'
import { fieldsOfPipelines, whoOf } from '#src/extensions/privacy/commands/read-who.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { issueList, openIssuedWorld, runWorkerUntil } from '#test/support/revocation-steps.ts'
import { peopleCsv, type World } from '#test/support/world.ts'

async function forget(
  world: World,
  text: string,
  more: { revokes?: boolean; releases?: boolean } = {},
): Promise<string> {
  const { app } = world
  const asked = { by: 'ada', reason: 'a letter', revokes: false, releases: false, ...more }
  const { id } = await app.ledger.erasures.request([await whoOf(app.ledger, text)], asked, fieldsOfPipelines(app))
  await runWorkerUntil(world, async () => (await app.ledger.erasures.open()).length === 0)
  return id
}

async function tablesWith({ app: { database } }: World, text: string): Promise<string[]> {
  const { rows: tables } = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'credsync' AND table_type = 'BASE TABLE' ORDER BY 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await database.query(`SELECT FROM ${name} t WHERE strpos(to_jsonb(t)::text, $1) > 0 LIMIT 1`, [
      text,
    ])
    if (rows.length > 0) found.push(name)
  }
  return found
}

describeWithDatabase('a person who is forgotten', () => {
  test('leaves nothing in the ledger, and the next list sends nothing', async () => {
    await using world = await openIssuedWorld(3)
    const text = peopleCsv(3)
    const address = text.split('\n')[2]?.split(',')[0] ?? ''
    expect(await tablesWith(world, address)).toContain('issuance')
    const { issuances } = world.app.ledger
    await forget(world, address)
    expect(await tablesWith(world, address)).toEqual([])
    const sent = world.sandbox.requests().length
    await issueList(world, 'next night.csv', `${text}\n`)
    expect(world.sandbox.requests()).toHaveLength(sent)
    expect(await tablesWith(world, address)).toEqual([])
    expect([...(await issuances.states([1, 2, 3])).values()].map(({ state }) => state)).toEqual([
      'issued',
      'issued',
      'issued',
    ])
  })

  test('is revoked later if that is wanted only then', async () => {
    await using world = await openIssuedWorld(2)
    await forget(world, 'i1')
    const { rows: before } = await world.app.database.query('SELECT state FROM issuance WHERE id = 1')
    expect(before).toEqual([{ state: 'issued' }])
    const id = await forget(world, 'i1', { revokes: true })
    const { rows } = await world.app.database.query(
      'SELECT state, recipient IS NULL AS empty FROM issuance ORDER BY id',
    )
    expect(rows).toEqual([
      { state: 'revoked', empty: true },
      { state: 'issued', empty: false },
    ])
    expect(await world.app.ledger.erasures.content(id)).toMatchObject({ issuances: [1] })
  })
})
