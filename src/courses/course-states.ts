// The states of a course in words, as the service's document names them. Pure.

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

/** Of approval_status_id. An unknown number is told as it is. */
export function approvalWords(id: number | null): string {
  return id === null ? 'not shown' : (approval[id] ?? `unknown (${id})`)
}

/** Of audit_status_id. */
export function auditWords(id: number | null): string {
  return id === null ? 'not shown' : (audit[id] ?? `unknown (${id})`)
}

/** Of is_active. */
export function enabledWords(active: number | null): string {
  if (active === null) return 'not shown'
  return active === 1 ? 'enabled' : 'disabled'
}
