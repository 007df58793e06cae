// Wraps the PostgreSQL client in a process of the mutation run: records which mutants each statement contains, and
// applies the active mutant before the statement is sent.

import pg from 'pg'
import { type Mutant, mutantsIn, mutated } from './mutants.ts'

export interface StatementSwitch {
  active: Mutant | null
  /** The ids of the mutants in all statements since the set was last cleared. */
  readonly executed: Set<number>
  /** The error if PostgreSQL could not parse a mutated statement (SQLSTATE class 42), which then tests nothing. */
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
