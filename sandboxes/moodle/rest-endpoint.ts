// POST /webservice/rest/server.php: parses the form, runs the function and answers. Every Moodle error has
// HTTP status 200 (section 1.2).

import type { Clock } from '#sandboxes/clock.ts'
import { Account } from './account.ts'
import { PostedArguments } from './arguments.ts'
import { knownFunctions } from './functions/known-functions.ts'
import { type HttpResponse, jsonAnswer, jsonError } from './http-response.ts'
import type { MoodleJournal } from './journal.ts'
import { accessDenied, databaseIsDown, invalidParameter, SiteError } from './moodle-error.ts'
import type { Role } from './role.ts'
import type { MoodleSandboxSettings } from './settings.ts'
import type { Site } from './site.ts'

export interface RestEndpoint {
  /** While true, every call gets dbconnectionfailed before it is parsed (capture 36). */
  databaseDown: boolean
  account: Account
  answer(pairs: Iterable<readonly [string, string]>): HttpResponse
}

export function openRestEndpoint(
  site: Site,
  settings: MoodleSandboxSettings,
  role: Role,
  journal: MoodleJournal,
  clock: Clock,
): RestEndpoint {
  const account = new Account(settings.token)
  const functions = settings.functions ?? [...knownFunctions.keys()]

  const run = (args: PostedArguments, token: string | null, name: string | null): unknown => {
    account.authenticate(token)
    if (!role.may('webservice/rest:use')) throw accessDenied()
    if (name === null) throw invalidParameter()
    const known = functions.includes(name) ? knownFunctions.get(name) : undefined
    if (!known) throw accessDenied()
    // Moodle accepts these settings in any call; the others do not affect the responses of the sandbox.
    const isSet = (setting: string) => ['1', 'true'].includes(args.take(`moodlewssetting${setting}`) ?? '')
    const raw = isSet('raw')
    for (const setting of ['fileurl', 'filter', 'lang', 'timezone']) args.take(`moodlewssetting${setting}`)
    args.refuseOthers(known.parameters)
    account.checkCourseAccess(name)
    const now = Math.floor(clock.now().getTime() / 1000)
    return known.answer({
      args,
      site,
      settings,
      may: (capability) => role.may(capability),
      functions,
      journal,
      raw,
      now,
    })
  }

  return {
    databaseDown: false,
    account,
    answer(pairs) {
      const record = (what: string, errorcode: string | null) =>
        journal.record({ kind: 'answered', endpoint: 'rest', what, status: 200, errorcode })
      if (this.databaseDown) {
        record('unread', 'dbconnectionfailed')
        return jsonError(databaseIsDown())
      }
      const args = PostedArguments.fromPairs(pairs)
      // The sandbox answers JSON, which is what credsync asks for; a real Moodle answers XML by default.
      args.take('moodlewsrestformat')
      const token = args.take('wstoken')
      const name = args.take('wsfunction')
      // The journal contains a submitted name only if it is an implemented function.
      const what = name !== null && knownFunctions.has(name) ? name : 'unknown'
      try {
        const answer = run(args, token, name)
        record(what, null)
        return jsonAnswer(answer)
      } catch (error) {
        if (!(error instanceof SiteError)) throw error
        record(what, error.errorcode)
        return jsonError(error)
      }
    },
  }
}
