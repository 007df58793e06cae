// The wire as this room needs it: one request, and what was heard of it. Whoever opens the room hands it in.

export interface Ask {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers: Record<string, string>
  body?: string
  /** Milliseconds from now until the whole answer must be here. */
  deadlineMs: number
}

export type Heard =
  /** Header names in lower case. Redirects are not followed: a token must not travel to an address that nobody named. */
  | { kind: 'answer'; status: number; headers: Record<string, string>; text: string }
  /** `sent`: whether any of it may have reached the platform. */
  | { kind: 'failed'; code: string; sent: boolean }

/** Never rejects for what the network or the platform does. */
export type Send = (ask: Ask) => Promise<Heard>
