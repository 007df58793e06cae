// How the sandbox behaves, as data. Whatever the service leaves unsaid, and a test may want otherwise, is a setting here.

import { checkMischief } from './mischief/check-mischief.ts'
import type { Mischief } from './mischief/mischief.ts'
import { SandboxSettingsError } from './settings-error.ts'

export { SandboxSettingsError }

export interface SandboxSettings {
  /** TCP port on 127.0.0.1; 0 takes any free one. */
  port: number
  /** The one key pair that the token endpoint knows. */
  key: string
  secret: string
  /** Everything that looks random (ids, tokens, who is rejected) follows from this text and the order of arrival. */
  seed: string
  /** Addresses and CIDR ranges that may call the API; none of them means that every address may. */
  allowFrom: readonly string[]
  /** Calls in any sliding second: per key and endpoint; per source address for both token endpoints together. */
  limits: { general: number; auth: number }
  /** Milliseconds from creation. */
  tokenLife: { accessMs: number; refreshMs: number }
  /** How long a request waits in the queue, then how long it is in progress. */
  pace: { queueMs: number; progressMs: number }
  /** How long a new course waits for an auditor, then for the audit to begin, and how long that takes. */
  auditPace: { unassignedMs: number; assignedMs: number; auditMs: number }
  /** How long after the invitation a request shows in the report. */
  reportLagMs: number
  /** Parts of all requests, 0 to 1, that end as rejected and as failed. */
  rejectShare: number
  failShare: number
  /** Most recipients in one invitation, and most bytes of one body; more is answered with 413. */
  maxBatch: number
  maxBodyBytes: number
  /** Most records of one page; a wish for more is cut to this and the pager says so. */
  maxPage: number
  /** Life of a certificate_path link. */
  linkLifeMs: number
  /** What the service does beyond its papers, part by part; nothing of it by default. May change while the sandbox runs. */
  mischief: Mischief
}

// Rates, token and link lives are the documented ones. Page, batch and body sizes are not documented: these are
// round numbers. Pace and lag are short so that a person who tries the sandbox sees the whole life of a request.
const defaults: SandboxSettings = {
  port: 0,
  key: 'sandbox-key',
  secret: 'sandbox-secret',
  seed: 'sandbox',
  allowFrom: [],
  limits: { general: 60, auth: 3 },
  tokenLife: { accessMs: 30 * 60_000, refreshMs: 30 * 86_400_000 },
  pace: { queueMs: 1_000, progressMs: 2_000 },
  auditPace: { unassignedMs: 1_000, assignedMs: 2_000, auditMs: 2_000 },
  reportLagMs: 500,
  rejectShare: 0,
  failShare: 0,
  maxBatch: 500,
  maxBodyBytes: 10 * 1024 * 1024,
  maxPage: 1_000,
  linkLifeMs: 3 * 60_000,
  mischief: {},
}

/**
 * The given settings over the defaults; nested ones (limits, tokenLife, pace, auditPace) are given whole.
 * @throws SandboxSettingsError when the two shares are not parts of one whole, or for mischief
 * that cannot be.
 */
export function fillSettings(given: Partial<SandboxSettings> = {}): SandboxSettings {
  const settings = { ...defaults, ...given }
  const { rejectShare, failShare } = settings
  if (!(rejectShare >= 0 && failShare >= 0 && rejectShare + failShare <= 1)) {
    throw new SandboxSettingsError(
      `Sandbox settings rejectShare (${rejectShare}) and failShare (${failShare}) are parts of all requests: ` +
        'make each 0 or more, and both together at most 1.',
    )
  }
  checkMischief(settings.mischief)
  return settings
}
