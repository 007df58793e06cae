// A database that is prepared once and copied for each case: a copy costs a fraction of the migrations.

import pg from 'pg'
import type { TestDatabase } from './database.ts'

export interface TemplateDatabase extends AsyncDisposable {
  /** A copy with a ledger id of its own, as if it had been migrated by itself. */
  copy(): Promise<TestDatabase>
}

/**
 * @param serverUrl of an administrator
 * @param prepare applies the migrations; every connection to the template must be closed when it returns
 */
export async function templateDatabase(
  serverUrl: string,
  prepare: (url: string) => Promise<void>,
): Promise<TemplateDatabase> {
  await using stack = new AsyncDisposableStack()
  // Few connections: PostgreSQL copies one database after another anyway.
  const admin = new pg.Pool({ connectionString: serverUrl, max: 2 })
  stack.defer(() => admin.end())
  const create = async (template: string | null): Promise<TestDatabase & { name: string }> => {
    const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
    await admin.query(`CREATE DATABASE ${name}${template ? ` TEMPLATE ${template}` : ''}`)
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    const drop = async () => void (await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
    return { name, url: url.href, drop, [Symbol.asyncDispose]: drop }
  }
  const template = stack.use(await create(null))
  await prepare(template.url)
  const closing = stack.move()
  return {
    async copy() {
      const made = await create(template.name)
      await giveOwnId(made.url)
      return made
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** Queues in Redis are told apart by the ledger's id: two copies with one id would do each other's jobs. */
async function giveOwnId(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query('UPDATE credsync.ledger SET id = DEFAULT')
  } finally {
    await client.end()
  }
}
