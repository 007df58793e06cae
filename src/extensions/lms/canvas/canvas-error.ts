// The error that every failed Canvas call throws. Pure.

import { LmsError } from '#src/platform/http/lms-error.ts'

export class CanvasError extends LmsError {
  override name = 'CanvasError'
}
