// One life of a worker, in the test's own process: it has connections of its own, and ends before or after a verb of the ledger. Nothing that
// it would do afterwards happens, not even what stands in a `finally`; its locks and transactions go with its connections, as a killed one's do.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Tools } from '#jobs/tools.ts'
import type { App } from '#src/app.ts'
import { nameOfConnections, openDatabase } from '#src/database/database.ts'
import { openLedger } from '#src/ledger/ledger.ts'
import type { World } from '#test/support/world.ts'

/** @param at `noun.verb:before` or `:after`. @returns whether it came there and died; else the story was told to its end */
export async function liveUntil(world: World, at: string, story: (tools: Tools) => Promise<unknown>): Promise<boolean> {
  const { app } = world
  const instance = randomUUID()
  const database = openDatabase(world.databaseUrl, { instance, connections: 4 })
  const ledger = await openLedger(database, app.ledger.environment, app.tuning)
  const death = Promise.withResolvers<true>()
  const mortal = dyingAt(at, ledger, () => death.resolve(true))
  const died = await Promise.race([death.promise, story({ ...app, ledger: mortal }).then(() => false)])
  await cutOff(app, instance)
  // Not waited for: whoever stands still never gives a connection back.
  void database.close()
  return died
}

/** The part, whose step that is `at` is never left. */
function dyingAt<Part extends object>(at: string, part: Part, die: () => void, path = ''): Part {
  const standStill = () => {
    die()
    return new Promise<never>(() => {})
  }
  return new Proxy(part, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      if (typeof key !== 'string') return member
      const name = path + key
      if (typeof member === 'object' && member !== null && at.startsWith(`${name}.`))
        return dyingAt(at, member, die, `${name}.`)
      if (typeof member !== 'function' || !at.startsWith(`${name}:`)) return member
      return async (...args: unknown[]) => {
        if (at === `${name}:before`) return standStill()
        await Reflect.apply(member, target, args)
        return standStill()
      }
    },
  })
}

async function cutOff({ database }: App, instance: string): Promise<void> {
  const own = `pg_stat_activity WHERE application_name = $1 AND datname = current_database()`
  const name = nameOfConnections(instance)
  await database.query(`SELECT pg_terminate_backend(pid) FROM ${own}`, [name])
  while ((await database.query(`SELECT FROM ${own}`, [name])).rowCount > 0) await pause(2)
}
