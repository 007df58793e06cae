// What a function of the web service is given, and what it must say of itself.

import type { Arguments } from '../arguments.ts'
import type { MoodleJournal } from '../journal.ts'
import type { MoodleSandboxSettings } from '../settings.ts'
import type { Site } from '../site.ts'

export interface WebServiceCall {
  args: Arguments
  site: Site
  settings: MoodleSandboxSettings
  /** Names of the functions in the token's service. */
  functions: readonly string[]
  journal: MoodleJournal
  /** moodlewssettingraw: texts come as they are kept, not as a page shows them (01b). */
  raw: boolean
  /** Seconds since 1970. */
  now: number
}

export interface WebServiceFunction {
  /** The arguments that it takes; any other is invalidparameter. */
  parameters: readonly string[]
  /** Its answer as JSON values. @throws MoodleError */
  answer(call: WebServiceCall): unknown
}
