// How the learning system behaves, as data: what differs from one real Moodle to the next.

export interface MoodleSandboxSettings {
  /** TCP port on 127.0.0.1; 0 takes any free one. */
  port: number
  /** The one web service token. */
  token: string
  /** Full name of the site. */
  siteName: string
  /** Names of the functions that the token's service contains; null for all that the sandbox knows. */
  functions: readonly string[] | null
  /** Language and time zone (IANA name) of the token's account: a report's headers, yes and dates follow them. */
  language: Language
  timezone: string
  /** Whether the account may ask for active enrolments only (moodle/course:enrolreview). Capture 02 is of one that may not. */
  reviewsEnrolments: boolean
  /** The registered LTI 1.3 tool; its public key as PEM (SPKI). Null for none. */
  tool: { clientId: string; publicKey: string } | null
}

export type Language = 'en' | 'de'

const defaults: MoodleSandboxSettings = {
  port: 0,
  token: 'sandbox-moodle-token',
  siteName: 'Lab College',
  functions: null,
  language: 'en',
  timezone: 'UTC',
  reviewsEnrolments: false,
  tool: null,
}

/** The given settings over the defaults. */
export function fillMoodleSettings(given: Partial<MoodleSandboxSettings> = {}): MoodleSandboxSettings {
  return { ...defaults, ...given }
}
