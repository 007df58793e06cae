// A world with a lie in it, for the tests of the auditor. The ledger's part is made in a transaction that is rolled back, the sandbox's in a
// copy of its book, the source's in another file.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Database } from '#src/database/database.ts'
import type { HeldRequest } from '#src/sandbox/open-sandbox.ts'
import type { World } from '#test/support/world.ts'

export interface Forgery {
  sql?: string
  book?: (requests: HeldRequest[]) => HeldRequest[]
  calls?: (uuids: string[]) => string[][]
  /** What the source was told instead: a change of the results file's text. */
  told?: (text: string) => string
}

/** What `look` says of a world with the forgery in it. Nothing of it stays. */
export async function forged<Result>(
  world: World,
  forgery: Forgery,
  look: (world: World) => Promise<Result>,
): Promise<Result> {
  const session = await world.app.database.session()
  try {
    await session.query('BEGIN')
    await session.query('SET LOCAL session_replication_role = replica')
    for (const statement of forgery.sql?.split(';') ?? []) await session.query(statement)
    if (forgery.told) await tellInstead(world, session, forgery.told)
    const transaction: Database['transaction'] = (work) => work(session)
    const requests = [...world.sandbox.requests()]
    const calls = forgery.calls?.(requests.map((each) => each.entityUuid)) ?? []
    const line = { at: 0, call: 1, endpoint: 'forged', kind: 'committed', recipients: 1 } as const
    const entries = () => calls.map((each) => ({ ...line, requests: each }))
    const sandbox = {
      ...world.sandbox,
      requests: () => forgery.book?.(requests) ?? requests,
      ...(forgery.calls && { entries }),
    }
    return await look({ ...world, sandbox, app: { ...world.app, database: { ...world.app.database, transaction } } })
  } finally {
    await session.query('ROLLBACK')
    await session.release()
  }
}

async function tellInstead(
  world: World,
  session: Pick<Database, 'query'>,
  change: (text: string) => string,
): Promise<void> {
  const run = (await world.app.ledger.listRuns(1))[0]
  const text = await readFile(run?.resultsPath ?? '', 'utf8')
  const other = change(text)
  expect(other, 'the forgery changes the file').not.toBe(text)
  const path = join(world.folder, 'forged.csv')
  await writeFile(path, other)
  await session.query('UPDATE run SET results_path = $1', [path])
}
