// POST /webservice/rest/server.php: from the form to the answer. Every error of Moodle's is HTTP 200 (1.2).

import type { Clock } from '#src/time/clock.ts'
import { Arguments } from './arguments.ts'
import { knownFunctions } from './functions/known-functions.ts'
import type { MoodleJournal } from './journal.ts'
import { accessDenied, databaseIsDown, invalidParameter, invalidToken, MoodleError } from './moodle-error.ts'
import type { MoodleSandboxSettings } from './settings.ts'
import type { Site } from './site.ts'
import { jsonAnswer, jsonError, type WrittenAnswer, xmlAnswer } from './written-answer.ts'

export interface RestDoor {
  /** What the door says while the database is down is said before anything of the call is looked at (36). */
  databaseDown: boolean
  answer(pairs: Iterable<readonly [string, string]>): WrittenAnswer
}

export function openRestDoor(
  site: Site,
  settings: MoodleSandboxSettings,
  journal: MoodleJournal,
  clock: Clock,
): RestDoor {
  const functions = settings.functions ?? [...knownFunctions.keys()]

  const run = (args: Arguments, token: string | null, name: string | null): unknown => {
    if (token !== settings.token) throw invalidToken()
    if (name === null) throw invalidParameter()
    const known = functions.includes(name) ? knownFunctions.get(name) : undefined
    if (!known) throw accessDenied()
    // Moodle reads these out of any call; the others of this family change nothing in what is answered here.
    const raw = ['1', 'true'].includes(args.take('moodlewssettingraw') ?? '')
    for (const setting of ['fileurl', 'filter', 'lang', 'timezone']) args.take(`moodlewssetting${setting}`)
    args.only(known.parameters)
    const now = Math.floor(clock.now().getTime() / 1000)
    return known.answer({ args, site, settings, functions, journal, raw, now })
  }

  return {
    databaseDown: false,
    answer(pairs) {
      const did = (what: string, errorcode: string | null) =>
        journal.did({ kind: 'answered', door: 'rest', what, status: 200, errorcode })
      if (this.databaseDown) {
        did('unread', 'dbconnectionfailed')
        return jsonError(databaseIsDown())
      }
      const args = Arguments.of(pairs)
      const json = args.take('moodlewsrestformat') === 'json'
      const token = args.take('wstoken')
      const name = args.take('wsfunction')
      // What was sent comes into the journal only where it is a name that is known.
      const what = name !== null && knownFunctions.has(name) ? name : 'unknown'
      try {
        const answer = run(args, token, name)
        did(what, null)
        return json ? jsonAnswer(answer) : xmlAnswer(answer)
      } catch (error) {
        if (!(error instanceof MoodleError)) throw error
        did(what, error.errorcode)
        return json ? jsonError(error) : xmlAnswer(error)
      }
    },
  }
}
