// A person with a browser: opens pages of whatever console answers, and decides what waits. A console that ends in the middle
// of a request leaves the person without an answer, who then looks again, as people do.

import { systemClock } from '#src/platform/time/clock.ts'
import { fieldsIn } from '#test/support/console-decisions.ts'
import { askConsole, type ConsoleAnswer, signIn } from '#test/support/console-world.ts'
import type { Dice } from '#test/support/seeded-random.ts'
import type { World } from '#test/support/world.ts'

export const personName = 'ada'

/** Between reading a page and pressing its button. */
const mostThoughtMs = 500

export interface DecidingPerson {
  counts: Record<'pages' | 'decisions' | 'unanswered' | 'refused', number>
  /** Opens the pages and decides, until it is stopped. */
  stop(): Promise<void>
}

export interface DecidingOptions {
  /** The ports of the consoles that are served now. */
  ports: () => number[]
  dice: Dice
  /** Called with the port as soon as a decision was sent to it. */
  onDecision: (port: number) => void
  /** The run whose failed rows are sent again once there are this many. */
  retry: { run: string; rows: number }
}

export async function startDeciding(world: World, options: DecidingOptions): Promise<DecidingPerson> {
  const { ports, dice, onDecision, retry } = options
  const grant = { role: 'operator', pipelines: null } as const
  const cookie = await signIn(world.app.ledger, personName, grant, systemClock.now())
  const counts = { pages: 0, decisions: 0, unanswered: 0, refused: 0 }
  let goesOn = true

  /** Null if no console answers. */
  async function ask(path: string, form?: [string, string][]): Promise<ConsoleAnswer | null> {
    const port = dice.pick(ports())
    if (port === undefined) return null
    const answer = askConsole(port, path, { cookie, ...(form && { form }) }).catch(() => null)
    if (form) onDecision(port)
    const got = await answer
    if (got === null) counts.unanswered++
    else counts.pages++
    return got
  }

  async function decide(path: string, filled: [string, string][] = [], to = path): Promise<void> {
    const page = await ask(path)
    if (page?.status !== 200) return
    await systemClock.sleep(dice.between(0, mostThoughtMs))
    const form: [string, string][] = [...fieldsIn(page.text), ...filled, ['reason', 'looked it up']]
    // Sometimes a person presses twice, and the second time another worker answers.
    const answers = await Promise.all([ask(to, form), ...(dice.chance(0.3) ? [ask(to, form)] : [])])
    for (const answer of answers) {
      if (answer?.status === 303) counts.decisions++
      else if (answer !== null) counts.refused++
    }
  }

  const linksOn = (page: ConsoleAnswer | null, link: RegExp) => [...new Set(page?.text.match(link) ?? [])]

  async function failedRows(): Promise<boolean> {
    const { rows } = await world.app.database.query<{ failed: number; decided: number }>(
      `SELECT (SELECT count(*)::int FROM issuance WHERE run_id = $1 AND state = 'failed') AS failed,
              (SELECT count(*)::int FROM history WHERE event = 'a person decided: send again') AS decided`,
      [retry.run],
    )
    return rows[0]?.failed === retry.rows && rows[0].decided === 0
  }

  async function look(): Promise<void> {
    for (const path of ['/overview', `/runs/${retry.run}/progress`, '/service', '/log', '/runs']) await ask(path)
    for (const run of linksOn(await ask('/runs?state=braked'), /\/runs\/[0-9a-f-]{36}/g)) await decide(`${run}/approve`)
    for (const row of linksOn(await ask('/held'), /\/held\/i\d+(?=")/g)) await decide(row, [['answer', 'sent']])
    if (await failedRows()) await decide(`/runs/${retry.run}/retry`)
  }

  const looking = (async () => {
    while (goesOn) {
      await look()
      await systemClock.sleep(20)
    }
  })()
  looking.catch(() => {})
  return {
    counts,
    async stop() {
      goesOn = false
      await looking
    },
  }
}
