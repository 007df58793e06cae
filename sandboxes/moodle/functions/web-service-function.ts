// The interface of a web service function: its call, its parameters and its response. Types only.

import type { PostedArguments } from '../arguments.ts'
import type { MoodleJournal } from '../journal.ts'
import type { MoodleSandboxSettings } from '../settings.ts'
import type { Site } from '../site.ts'

export interface WebServiceCall {
  args: PostedArguments
  site: Site
  settings: MoodleSandboxSettings
  /** Whether the role of the token's account has the capability. */
  may(capability: string): boolean
  /** The names of the functions in the token's service. */
  functions: readonly string[]
  journal: MoodleJournal
  /** The setting moodlewssettingraw: text is returned as stored, not as a page shows it. */
  raw: boolean
  /** Seconds since 1970. */
  now: number
}

export interface WebServiceFunction {
  /** The accepted arguments; any other causes invalidparameter. */
  parameters: readonly string[]
  /**
   * Returns the response as JSON values.
   * @throws SiteError
   */
  answer(call: WebServiceCall): unknown
}
