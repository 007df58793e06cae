// Converts the verified result of a write to Moodle into a delivery outcome. Pure.

import type { MoodleWriteResult } from '#src/extensions/lms/moodle/profile.ts'
import { deliveryFailure } from './delivery-failure.ts'
import type { DeliveryOutcome } from './target-kind.ts'

/** @param whyOther possible reasons why Moodle shows a value other than the one that was written */
export function moodleOutcome(written: MoodleWriteResult, whyOther: string): DeliveryOutcome {
  if (written.kind === 'verified' || written.kind === 'account_deleted') return { kind: written.kind }
  const sentence =
    written.kind === 'differs'
      ? `Moodle reported success, but shows something else in ${written.fields.join(', ')}: ${whyOther}. Correct this in Moodle or in writeBack.`
      : `Moodle refused to write to this learner (${written.warningcode}).`
  return deliveryFailure('record', sentence)
}
