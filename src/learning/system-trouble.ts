// What an error of a learning system means for whoever asked it or told it, whichever system it is.

import { CanvasError } from '#src/canvas/canvas-error.ts'
import { MoodleAwayError } from '#src/moodle/moodle-away-error.ts'
import { MoodleError } from '#src/moodle/moodle-error.ts'
import { MoodleRecordError } from '#src/moodle/moodle-record-error.ts'
import { MoodleRefusedError } from '#src/moodle/moodle-refused-error.ts'

export interface SystemTrouble {
  /** `away`: ask again later. `refused`: a person is needed first. `record`: this learner or course alone. */
  kind: 'away' | 'refused' | 'record'
  /** Whether it is about this course, or this call, alone: others may go well. */
  isOfCourse: boolean
  /** The class of the error. */
  name: string
  /** For a person, without values. */
  sentence: string
  /** Milliseconds that the system asked to be left alone; null where it did not. */
  retryAfterMs: number | null
}

/** Null for any other error, which is a fault of ours. */
export function troubleOf(error: unknown): SystemTrouble | null {
  if (error instanceof CanvasError) {
    const { name, message, retryAfterMs, fault } = error
    const isOfCourse = fault === 'forbidden' || fault === 'record'
    return { kind: fault === 'forbidden' ? 'refused' : fault, isOfCourse, name, sentence: message, retryAfterMs }
  }
  if (!(error instanceof MoodleError)) return null
  const { name, message } = error
  if (error instanceof MoodleAwayError)
    return { kind: 'away', isOfCourse: false, name, sentence: message, retryAfterMs: error.retryAfterMs }
  const kind = error instanceof MoodleRecordError ? 'record' : 'refused'
  const isOfCourse = kind === 'record' || (error instanceof MoodleRefusedError && error.reach === 'here')
  return { kind, isOfCourse, name, sentence: message, retryAfterMs: null }
}
