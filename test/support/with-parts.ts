// Replaces parts of an app, also in what its learning systems have built from them.

import type { App } from '#src/app/app.ts'
import { learningParts } from '#src/extensions/lms/sync/learning-parts.ts'

export function withParts(app: App, parts: Partial<App>): App {
  const whole = { ...app, ...parts }
  return { ...whole, ...learningParts(whole, whole.learning) }
}
