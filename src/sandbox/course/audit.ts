// The certification body, simulated: how a new course comes to be approved, put on hold or rejected, by its age.

import type { SandboxSettings } from '#src/sandbox/settings.ts'

/** approval_status_id (1 pending, 2 approved, 3 on hold, 4 rejected) and audit_status_id (0 not assigned to 5 completed). */
export interface Standing {
  approval: 1 | 2 | 3 | 4
  audit: 0 | 1 | 2 | 3 | 4 | 5
}

/** A standing that stays, or a submission (in monotonic milliseconds) and how it will end. */
export type Audit = Standing | { submittedMs: number; verdict: Standing }

export const verdicts = {
  approved: { approval: 2, audit: 5 },
  held: { approval: 3, audit: 3 },
  rejected: { approval: 4, audit: 4 },
} as const satisfies Record<string, Standing>

/** What the body will say of a course: its name decides, so that whoever tries the sandbox can have each end. */
export function verdictOn(name: string): Standing {
  if (/reject/i.test(name)) return verdicts.rejected
  return /hold/i.test(name) ? verdicts.held : verdicts.approved
}

/** Nothing runs in the background: a standing is worked out whenever somebody looks. */
export function standingAt(audit: Audit, pace: SandboxSettings['auditPace'], nowMs: number): Standing {
  if ('approval' in audit) return audit
  const age = nowMs - audit.submittedMs
  const begins = pace.unassignedMs + pace.assignedMs
  if (age < pace.unassignedMs) return { approval: 1, audit: 0 }
  if (age < begins) return { approval: 1, audit: 1 }
  return age < begins + pace.auditMs ? { approval: 1, audit: 2 } : audit.verdict
}
