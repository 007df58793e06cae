// The registry of learning system kinds. To add a kind, add one file to this folder and one line here.

import { canvasSystem } from './canvas.ts'
import { ltiSystem } from './lti.ts'
import { moodleSystem } from './moodle.ts'
import type { SystemKind } from './system-kind.ts'
import { webhookSystem } from './webhook.ts'
import { xapiSystem } from './xapi.ts'

export const systemKinds = [moodleSystem, canvasSystem, webhookSystem, xapiSystem, ltiSystem] as const

/** @throws TypeError for an unknown kind, which the settings schema rules out */
export function systemKindOf({ type }: { type: string }, kinds: readonly SystemKind[] = systemKinds): SystemKind {
  const kind = kinds.find((kind) => kind.type === type)
  if (!kind) throw new TypeError(`There is no learning system kind ${type}.`)
  return kind
}
