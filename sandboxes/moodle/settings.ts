// The settings of the Moodle sandbox, which cover what differs between real Moodles.

import type { SiteLanguage } from './site-text.ts'

export interface MoodleSandboxSettings {
  /** The TCP port on 127.0.0.1; 0 chooses a free one. */
  port: number
  /** The only web service token. */
  token: string
  /** The names of the functions in the token's service; null for all functions of the sandbox. */
  functions: readonly string[] | null
  /** The language of the token's account, in which a report shows headers, yes and dates. Its time zone is UTC. */
  language: SiteLanguage
  /** Whether the account may request only active enrollments (moodle/course:enrolreview). In capture 02 it may not. */
  reviewsEnrollments: boolean
  /** Capabilities that the role of the account lacks; they can also be removed and restored while the sandbox runs. */
  lacks: readonly string[]
  /** The registered LTI 1.3 tool, with its public key as PEM (SPKI); null for none. */
  tool: { clientId: string; publicKey: string } | null
}

const defaults: MoodleSandboxSettings = {
  port: 0,
  token: 'sandbox-moodle-token',
  functions: null,
  language: 'en',
  reviewsEnrollments: false,
  lacks: [],
  tool: null,
}

/** Merges the given settings with the defaults. */
export function fillMoodleSettings(given: Partial<MoodleSandboxSettings> = {}): MoodleSandboxSettings {
  return { ...defaults, ...given }
}
