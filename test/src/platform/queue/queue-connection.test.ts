// BullMQ's connections to PostgreSQL when the server closes or refuses them at a bad time.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '#src/platform/queue/postgres-store.ts'
import { openQueuePool, QueueConnection } from '#src/platform/queue/queue-connection.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { describeWithDatabase, emptyDatabase, serverUrl } from '#test/support/database.ts'

test('a LISTEN connection that the server closes as soon as it is opened does not end the process, and is replaced', async () => {
  const pool = openQueuePool({ connectionString: await endingServer(), schema: 'queue' })
  const connection = new QueueConnection(pool)
  onTestFinished(async () => {
    await connection.close()
    await pool.pool.end()
  })
  const invalidated = once(connection, 'listenerinvalidated')
  const first = await connection.getListenClient()
  await invalidated
  expect(await connection.getListenClient()).not.toBe(first)
})

describeWithDatabase('a worker that starts while the database accepts no connections', () => {
  // In a process of its own: without the workaround in queue-connection.ts, that process runs nothing else any more.
  test('keeps its process running and works once the server accepts connections', async () => {
    const database = await emptyDatabase()
    const admin = new pg.Client(serverUrl())
    await admin.connect()
    const name = new URL(database.url).pathname.slice(1)
    const allow = (allowed: boolean) => admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allowed}`)
    const store = await openPostgresStore({ kind: 'postgres', url: database.url, schema: 'queue' }, systemClock)
    const queue = store.openQueue('jobs', {})
    await queue.add('one', {})
    await allow(false)
    const script = join(import.meta.dirname, 'starting-worker.ts')
    const child = spawn(process.execPath, [script, database.url], {
      ...{ stdio: ['ignore', 'pipe', 'inherit'], timeout: 120_000, killSignal: 'SIGKILL' },
    })
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await queue.close()
      await store.close()
      await admin.end()
      await database.drop()
    })
    const ended = once(child, 'exit')
    await Promise.race([once(child.stdout, 'data'), ended])
    await allow(true)
    expect(await ended).toEqual([0, null])
  })
})

describeWithDatabase('the workers of a process', () => {
  test('wait for jobs on one connection, which outlives each of them and is replaced if it breaks', async () => {
    const database = await emptyDatabase()
    const store = await openPostgresStore({ kind: 'postgres', url: database.url, schema: 'queue' }, systemClock)
    const done: string[] = []
    const names = ['one', 'two', 'three']
    const queues = names.map((name) => store.openQueue(name, {}))
    const workers = names.map((name) =>
      // Only a notification ends the wait for a job, or the fault of a connection.
      store.openWorker(name, async ({ data }) => void done.push(`${name} ${data}`), { drainDelay: 3_600 }),
    )
    for (const worker of workers) worker.on('error', () => {})
    const admin = new pg.Client(database.url)
    await admin.connect()
    onTestFinished(async () => {
      await Promise.all([...workers, ...queues].map((each) => each.close()))
      await store.close()
      await admin.end()
      await database.drop()
    })
    const listening = async () => {
      const { rows } = await admin.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%LISTEN%' AND pid <> pg_backend_pid()",
      )
      return rows.map(({ pid }) => pid)
    }
    const runAll = async (data: string, on = names) => {
      for (const name of on) await queues[names.indexOf(name)]?.add(name, data)
      await expect.poll(() => done.toSorted()).toEqual(on.map((name) => `${name} ${data}`).sort())
      done.length = 0
    }
    await runAll('first')
    const [pid, ...others] = await listening()
    expect(others).toEqual([])

    await workers[0]?.close()
    await runAll('after one worker ended', ['two', 'three'])
    expect(await listening()).toEqual([pid])

    await admin.query('SELECT pg_terminate_backend($1)', [pid])
    await runAll('after the connection was ended', ['two', 'three'])
    const replaced = await listening()
    expect(replaced).toHaveLength(1)
    expect(replaced).not.toEqual([pid])

    await Promise.all(workers.map((worker) => worker.close()))
    await expect.poll(listening).toEqual([])
  })
})

/** A server that accepts every login and immediately closes the connection. */
async function endingServer(): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([letIn, ready, ended])))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `postgres://somebody@127.0.0.1:${(server.address() as AddressInfo).port}/queue`
}

const message = (type: string, body: Buffer) => {
  const head = Buffer.from(`${type}....`)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const letIn = message('R', Buffer.alloc(4))
const ready = message('Z', Buffer.from('I'))
const ended = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'))
