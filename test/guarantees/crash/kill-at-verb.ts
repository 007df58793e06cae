// Simulates a kill within the test's own process: runs the work of a worker with separate connections and stops it
// before or after a ledger verb. Nothing runs after that, including `finally` blocks; locks and transactions end with
// the connections, as after a real kill.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import type { App } from '#src/app/app.ts'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { nameOfConnections, openDatabase } from '#src/platform/database/database.ts'
import { withParts } from '#test/support/with-parts.ts'
import type { World } from '#test/support/world.ts'

/**
 * @param at `noun.verb:before` or `:after`
 * @returns whether the work was stopped there; otherwise it ran to its end
 */
export async function runUntilKilled(
  world: World,
  at: string,
  job: (tools: ExtensionTools) => Promise<unknown>,
): Promise<boolean> {
  const { app } = world
  const instance = randomUUID()
  const database = openDatabase(world.databaseUrl, { instance, connections: 4 })
  const ledger = await openWholeLedger(database, app.ledger.environment, app.tuning)
  const kill = Promise.withResolvers<true>()
  const wrapped = stoppingAt(at, ledger, () => kill.resolve(true))
  const killed = await Promise.race([kill.promise, job(withParts(app, { ledger: wrapped })).then(() => false)])
  await cutOff(app, instance)
  // Not awaited: blocked code never returns its connection.
  void database.close()
  return killed
}

/** Wraps the part so that its step `at` never returns. */
function stoppingAt<Part extends object>(at: string, part: Part, onReached: () => void, path = ''): Part {
  const stop = () => {
    onReached()
    return new Promise<never>(() => {})
  }
  return new Proxy(part, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      if (typeof key !== 'string') return member
      const name = path + key
      if (typeof member === 'object' && member !== null && at.startsWith(`${name}.`))
        return stoppingAt(at, member, onReached, `${name}.`)
      if (typeof member !== 'function' || !at.startsWith(`${name}:`)) return member
      return async (...args: unknown[]) => {
        if (at === `${name}:before`) return stop()
        await Reflect.apply(member, target, args)
        return stop()
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
