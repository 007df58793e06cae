// A database whose transactions can be stopped before any statement and before the commit. Statements outside a
// transaction are wrapped in one, as PostgreSQL does implicitly, so that they can be stopped while they hold locks.

import type { Database, Sql } from '#src/platform/database/database.ts'

export interface Stops {
  /** Called before each statement and each commit, with the statement's text. */
  before(text: string): Promise<void>
  after?(text: string, rowCount: number): void
}

export interface SteppedDatabase extends Database {
  /** The functions called before and after statements from now on. */
  stops: Stops
  /** Transactions that PostgreSQL aborted because of a deadlock. */
  deadlocks: number
}

export function steppedDatabase(inner: Database): SteppedDatabase {
  const stepped = (sql: Sql): Sql => ({
    async query(text, values) {
      await database.stops.before(text)
      try {
        const result = await sql.query<never>(text, values)
        database.stops.after?.(text, result.rowCount)
        return result
      } catch (error) {
        if ((error as { code?: string }).code === '40P01') database.deadlocks++
        throw error
      }
    },
  })
  const transaction: Database['transaction'] = (work, mode) =>
    inner.transaction(async (sql) => {
      const result = await work(stepped(sql))
      await database.stops.before('COMMIT')
      return result
    }, mode)
  const database: SteppedDatabase = {
    ...inner,
    ...{ transaction, query: (text, values) => transaction((sql) => sql.query(text, values)) },
    ...{ stops: noStops, deadlocks: 0 },
  }
  return database
}

export const noStops: Stops = { before: async () => {} }

export interface RecordedStatements extends Stops {
  readonly texts: string[]
  /** Statements that changed rows. */
  written: number
}

/** Records the statements of a verb. */
export function recordStatements(): RecordedStatements {
  const recorded: RecordedStatements = {
    texts: [],
    written: 0,
    async before(text) {
      recorded.texts.push(text)
    },
    after(text, rowCount) {
      recorded.written += Number(rowCount > 0 && /\b(UPDATE \w+|INSERT INTO|DELETE FROM)/.test(text))
    },
  }
  return recorded
}

/** Stops once, before the statement of that number, until it is released. */
export function stopBefore(number: number): Stops & { readonly reached: Promise<void>; resume(): void } {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const { promise: resumed, resolve: resume } = Promise.withResolvers<void>()
  let count = 0
  return {
    reached,
    resume,
    async before() {
      if (count++ !== number) return
      reach()
      await resumed
    },
  }
}
