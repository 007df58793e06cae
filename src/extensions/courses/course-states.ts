// Describes the states of a course in the words of the service's documentation. Pure.

const approval: Readonly<Record<number, string>> = {
  1: 'approval pending',
  2: 'approved',
  3: 'on hold',
  4: 'rejected',
}

const audit: Readonly<Record<number, string>> = {
  0: 'not assigned',
  1: 'assigned',
  2: 'in progress',
  3: 'on hold',
  4: 'rejected',
  5: 'completed',
}

/** Describes an approval_status_id. An unknown number is included in the description. */
export function approvalText(id: number | null): string {
  return id === null ? 'not shown' : (approval[id] ?? `unknown (${id})`)
}

/** Describes an audit_status_id. */
export function auditText(id: number | null): string {
  return id === null ? 'not shown' : (audit[id] ?? `unknown (${id})`)
}

/** Describes is_active. */
export function enabledText(active: number | null): string {
  if (active === null) return 'not shown'
  return active === 1 ? 'enabled' : 'disabled'
}
