// Builds worlds with one forged fact, for the tests of the auditor. Changes the ledger in a transaction that is rolled
// back, and the sandbox's records and the results file only in copies.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { HeldRequest } from '#sandboxes/service/open-sandbox.ts'
import type { Database } from '#src/platform/database/database.ts'
import type { World } from '#test/support/world.ts'

export interface Forgery {
  /** Statements that change the ledger, separated by semicolons. */
  sql?: string
  /** Changes a copy of the sandbox's requests. */
  requests?: (requests: HeldRequest[]) => HeldRequest[]
  /** Returns the calls that the sandbox applied, each with the entity uuids of its requests. */
  calls?: (uuids: string[]) => string[][]
  /** Changes a copy of the results file. */
  resultsFile?: (text: string) => string
}

/** Returns what `inspect` finds in the forged world, then discards the forgery. */
export async function forged<Result>(
  world: World,
  forgery: Forgery,
  inspect: (world: World) => Promise<Result>,
): Promise<Result> {
  const session = await world.app.database.session()
  try {
    await session.query('BEGIN')
    await session.query('SET LOCAL session_replication_role = replica')
    for (const statement of forgery.sql?.split(';') ?? []) await session.query(statement)
    if (forgery.resultsFile) await replaceResultsFile(world, session, forgery.resultsFile)
    const transaction: Database['transaction'] = (work) => work(session)
    const requests = [...world.sandbox.requests()]
    const calls = forgery.calls?.(requests.map((request) => request.entityUuid)) ?? []
    const entry = { at: 0, call: 1, endpoint: 'forged', kind: 'committed', recipients: 1 } as const
    const entries = () => calls.map((call) => ({ ...entry, requests: call }))
    const sandbox = {
      ...world.sandbox,
      requests: () => forgery.requests?.(requests) ?? requests,
      ...(forgery.calls && { entries }),
    }
    return await inspect({ ...world, sandbox, app: { ...world.app, database: { ...world.app.database, transaction } } })
  } finally {
    await session.query('ROLLBACK')
    await session.release()
  }
}

async function replaceResultsFile(
  world: World,
  session: Pick<Database, 'query'>,
  change: (text: string) => string,
): Promise<void> {
  const run = (await world.app.ledger.runs.list(1))[0]
  const text = await readFile(run?.resultsPath ?? '', 'utf8')
  const forgedText = change(text)
  expect(forgedText, 'the forgery changes the file').not.toBe(text)
  const path = join(world.folder, 'forged.csv')
  await writeFile(path, forgedText)
  await session.query('UPDATE run SET results_path = $1', [path])
}
