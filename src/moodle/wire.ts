// The wire that the room is handed: it sends one request and tells what was heard. No HTTP client lives in here.

export interface Ask {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
  /** Milliseconds for the whole exchange. */
  deadlineMs: number
  /** The longest answer to read, in bytes; a longer one counts as failed. */
  maxBytes?: number
}

export type Heard =
  | { kind: 'answer'; status: number; headers: Record<string, string>; text: string }
  /** `code` as the network names it, such as ECONNREFUSED; `sent` when the request may have reached Moodle. */
  | { kind: 'failed'; code: string; sent: boolean }

/** Never rejects for what happens on the wire, and follows no redirects: the body holds the token. */
export type Send = (ask: Ask) => Promise<Heard>

/** The caller's limiter: runs the work when it is its turn. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>
