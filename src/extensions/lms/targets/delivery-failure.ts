// The reason for a failed delivery, in the same shape for every kind of target and system. Pure.

import type { SystemFailure } from '#src/platform/http/lms-error.ts'

export interface DeliveryFailure extends Omit<SystemFailure, 'name'> {
  /** True when the target no longer accepts deliveries for any learner. */
  isGone?: boolean
}

export function deliveryFailure(
  kind: DeliveryFailure['kind'],
  sentence: string,
  more: Partial<DeliveryFailure> = {},
): DeliveryFailure {
  return { kind, sentence, isOfCourse: kind !== 'away', code: null, retryAfterMs: null, ...more }
}
