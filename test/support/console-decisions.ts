// A console with rows to decide about, and the steps of a person who decides: open the page, fill its form, send it.

import type { ConsoleRole } from '#src/extensions/console/ledger/local-users.ts'
import { addRun } from './add-run.ts'
import { type ConsoleAnswer, type ConsoleWorld, type FormFields, openConsoleWorld } from './console-world.ts'
import { type Recipient, recipients } from './domain-objects.ts'
import { publish } from './test-ledger.ts'
import { withoutTriggers } from './without-triggers.ts'

export interface DecidingConsole extends AsyncDisposable {
  console: ConsoleWorld
  cookies: Record<ConsoleRole, string>
  /** A list of `spring`: issuances 1 to 8. */
  run: string
  /** Sends the form of a page, with what the page put into it and what the person fills in. */
  decide(path: string, filled?: Filled): Promise<ConsoleAnswer>
  /** The form of a page, as a browser would send it. */
  formOf(path: string, role?: ConsoleRole): Promise<[name: string, value: string][]>
  show(path: string, role?: ConsoleRole): Promise<ConsoleAnswer>
  states(): Promise<string>
  braked(name: string, more?: Record<string, unknown>): Promise<string>
  count(table: string, where?: string): Promise<number>
}

export interface Filled {
  role?: ConsoleRole
  reason?: string
  /** Instead of what the page put into it under these names. */
  form?: FormFields
  /** Where the form is sent, if not to the address of its page. */
  to?: string
}

/** 1 and 2 failed, 3 to 5 held for the same reason, 6 held for another one, 7 and 8 issued. */
export const states = 'failed failed held held held held issued issued'

export async function openDecidingConsole(people: Recipient[] = recipients(8)): Promise<DecidingConsole> {
  const console = await openConsoleWorld({ morePipelines: (first) => ({ autumn: first }) })
  const { ledger, database } = console.world.app
  const run = await publish(ledger, people, {
    course: console.world.sandbox.courses[0]?.uuid ?? '',
    name: 'spring.csv',
  })
  await withoutTriggers(
    database,
    `UPDATE credsync.issuance SET state = (string_to_array($1, ' '))[id], credential_id = CASE WHEN id > 6 THEN '1111-' || id END,
       attempt_id = CASE WHEN id < 3 THEN 1 END, reason = CASE WHEN id IN (1, 2) THEN 'the service refused it' WHEN id = 6 THEN 'its outcome is unknown' WHEN id < 6 THEN 'it differs' END`,
    [states],
  )
  const cookies = {} as Record<ConsoleRole, string>
  for (const role of ['viewer', 'registrar', 'operator'] as const) cookies[role] = await console.signedIn(role)
  const show = (path: string, role: ConsoleRole = 'operator') => console.ask(path, { cookie: cookies[role] })
  const formOf = async (path: string, role?: ConsoleRole) => fieldsIn((await show(path, role)).text)
  return {
    ...{ console, cookies, run, show, formOf },
    async decide(path, { role = 'operator', reason = 'looked it up', form = {}, to = path } = {}) {
      const filled: [string, string][] = [...pairsOf({ reason }), ...pairsOf(form)]
      const names = filled.map(([name]) => name)
      const sent = [...(await formOf(path, role)).filter(([name]) => !names.includes(name)), ...filled]
      return console.ask(to, { cookie: cookies[role], form: sent })
    },
    async states() {
      const { rows } = await database.query<{ state: string }>('SELECT state FROM credsync.issuance ORDER BY id')
      return rows.map(({ state }) => state).join(' ')
    },
    braked: (name, more = {}) => addRun(database, name, { state: 'braked', would_accept: 900, usual: 40, ...more }),
    async count(table, where = 'true') {
      const { rows } = await database.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM credsync.${table} WHERE ${where}`,
      )
      return rows[0]?.n ?? 0
    },
    [Symbol.asyncDispose]: () => console[Symbol.asyncDispose](),
  }
}

const pairsOf = (form: FormFields): [string, string][] => (Array.isArray(form) ? form : Object.entries(form))

/** The inputs of the form in the page's content, without those of which a person chooses one. */
export function fieldsIn(page: string): [string, string][] {
  const main = page.slice(page.indexOf('<main'))
  const inputs = main.matchAll(/<input (?![^>]*type="radio")[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)
  const text = (escaped: string) => escaped.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
  return [...inputs].map(([, name = '', value = '']) => [text(name), text(value)])
}
