// Stands between the program and PostgreSQL in a process of the mutation run: notes the mutants of each statement, and
// gives the database the mutant of one that is switched on.

import pg from 'pg'
import { type Mutant, mutantsIn, mutated } from './mutants.ts'

export interface StatementSwitch {
  active: Mutant | null
  /** Ids of the mutants of all statements since it was cleared. */
  readonly executed: Set<number>
  /** The error of a statement that its mutant made meaningless (SQLSTATE class 42): it tests nothing. */
  invalid: string | null
}

type Query = (this: unknown, ...args: unknown[]) => unknown

export function openStatementSwitch(): StatementSwitch {
  const state: StatementSwitch = { active: null, executed: new Set(), invalid: null }
  const client = pg.Client.prototype as unknown as { query: Query }
  const query = client.query
  client.query = function (statement, ...rest) {
    if (typeof statement !== 'string') return query.call(this, statement, ...rest)
    for (const id of mutantsIn(statement)) state.executed.add(id)
    const text = state.active ? mutated(statement, state.active) : statement
    if (text === statement) return query.call(this, statement, ...rest)
    const note = (error: unknown) => {
      const { code, message } = (error ?? {}) as { code?: string; message?: string }
      if (code?.startsWith('42')) state.invalid = `${code} ${message}`
    }
    const callback = rest.at(-1)
    if (typeof callback === 'function') {
      const noted = (error: unknown, result: unknown) => {
        note(error)
        callback(error, result)
      }
      return query.call(this, text, ...rest.slice(0, -1), noted)
    }
    const answer = query.call(this, text, ...rest) as Promise<unknown>
    answer.catch(note)
    return answer
  }
  return state
}
