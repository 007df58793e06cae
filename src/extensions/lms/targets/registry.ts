// The registry of target kinds. To add a kind, add one file to this folder and one line here.

import { canvasColumns } from './canvas-columns.ts'
import { lti } from './lti.ts'
import { moodleAssignment } from './moodle-assignment.ts'
import { moodleProfile } from './moodle-profile.ts'
import type { TargetKind } from './target-kind.ts'
import { webhook } from './webhook.ts'

export const targetKinds = [moodleProfile, moodleAssignment, canvasColumns, lti, webhook] as const

/** @throws TypeError for an unknown kind, which the settings schema rules out */
export function targetKindOf({ to }: { to: string }, kinds: readonly TargetKind[] = targetKinds): TargetKind {
  const kind = kinds.find((kind) => kind.to === to)
  if (!kind) throw new TypeError(`There is no target kind ${to}.`)
  return kind
}
