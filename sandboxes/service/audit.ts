// Simulates the certification body, which approves a new course after some time. Pure.

import type { SandboxSettings } from './settings.ts'

/**
 * approval_status_id (1 pending, 2 approved, 3 on hold, 4 rejected) and audit_status_id (0 not assigned to 5
 * completed).
 */
export interface AuditState {
  approval: 1 | 2 | 3 | 4
  audit: 0 | 1 | 2 | 3 | 4 | 5
}

/** A fixed state, or the time of submission (in monotonic milliseconds). */
export type Audit = AuditState | { submittedMs: number }

export const verdicts = {
  approved: { approval: 2, audit: 5 },
  held: { approval: 3, audit: 3 },
  rejected: { approval: 4, audit: 4 },
} as const satisfies Record<string, AuditState>

/** Computes the state when it is read, so that nothing runs in the background. */
export function auditStateAt(audit: Audit, pace: SandboxSettings['auditPace'], nowMs: number): AuditState {
  if ('approval' in audit) return audit
  const age = nowMs - audit.submittedMs
  const auditStartMs = pace.unassignedMs + pace.assignedMs
  if (age < pace.unassignedMs) return { approval: 1, audit: 0 }
  if (age < auditStartMs) return { approval: 1, audit: 1 }
  return age < auditStartMs + pace.auditMs ? { approval: 1, audit: 2 } : verdicts.approved
}
