// The settings of the sandbox: everything that the service leaves undocumented and a test may want to vary.

import type { Faults } from './faults/faults.ts'

export interface SandboxSettings {
  /** The TCP port on 127.0.0.1; 0 chooses a free one. */
  port: number
  /** The only key pair that the token endpoint accepts. */
  key: string
  secret: string
  /** The text from which, with the order of arrival, everything that looks random is derived: ids, tokens, outcomes. */
  seed: string
  /**
   * Calls in any sliding second: `general` per key and endpoint, `auth` per source address for both token endpoints.
   */
  limits: { general: number; auth: number }
  /** Milliseconds from creation. */
  tokenLife: { accessMs: number; refreshMs: number }
  /** How long each call takes, after it was carried out and before it is answered. */
  answerMs: number
  /** How long a request waits in the queue, and then how long it is in progress. */
  pace: { queueMs: number; progressMs: number }
  /** How long a new course waits for an auditor, then for the audit to begin, and how long the audit takes. */
  auditPace: { unassignedMs: number; assignedMs: number; auditMs: number }
  /** How long after the invitation a request appears in the report. */
  reportLagMs: number
  /** The shares of all requests, 0 to 1, that end as rejected and as failed. */
  rejectShare: number
  failShare: number
  /**
   * The maximum number of recipients in one invitation, and of bytes in one body; larger ones are answered with 413.
   */
  maxBatch: number
  maxBodyBytes: number
  /** The maximum number of records on one page. Requests for more get this many, and the pager reports it. */
  maxPage: number
  /** Faults that the service's documentation does not rule out; none by default. May change while the sandbox runs. */
  faults: Faults
}

// Rates and the lifetimes of tokens are the documented ones. Page, batch and body sizes are not documented,
// so they are round numbers. Pace and lag are short, so that users of the sandbox see all states of a request.
const defaults: SandboxSettings = {
  port: 0,
  key: 'sandbox-key',
  secret: 'sandbox-secret',
  seed: 'sandbox',
  limits: { general: 60, auth: 3 },
  tokenLife: { accessMs: 30 * 60_000, refreshMs: 30 * 86_400_000 },
  answerMs: 0,
  pace: { queueMs: 1_000, progressMs: 2_000 },
  auditPace: { unassignedMs: 1_000, assignedMs: 2_000, auditMs: 2_000 },
  reportLagMs: 500,
  rejectShare: 0,
  failShare: 0,
  maxBatch: 500,
  maxBodyBytes: 10 * 1024 * 1024,
  maxPage: 1_000,
  faults: {},
}

/** Merges the given settings with the defaults; nested ones (limits, tokenLife, pace, auditPace) must be complete. */
export function fillSettings(given: Partial<SandboxSettings> = {}): SandboxSettings {
  return { ...defaults, ...given }
}
