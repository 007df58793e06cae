// An app with other parts, as a test wraps them: also in what learning systems made of these.

import type { App } from '#src/app/app.ts'
import { learningParts } from '#src/extensions/lms/sync/learning-parts.ts'

export function withParts(app: App, parts: Partial<App>): App {
  const whole = { ...app, ...parts }
  return { ...whole, ...learningParts(whole, whole.learning) }
}
