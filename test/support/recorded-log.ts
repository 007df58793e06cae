// A log that keeps its lines for a test.

import type { EventFields, EventName } from '#src/platform/log/events.ts'
import type { Log } from '#src/platform/log/log.ts'

export interface RecordedLog extends Log {
  readonly lines: readonly (readonly [EventName, EventFields])[]
  /** The fields of each line of that event, in order. */
  fieldsOf(name: EventName): EventFields[]
}

export function openRecordedLog(): RecordedLog {
  const lines: (readonly [EventName, EventFields])[] = []
  return {
    lines,
    event: (name, fields = {}) => void lines.push([name, fields]),
    fieldsOf: (name) => lines.flatMap(([each, fields]) => (each === name ? [fields] : [])),
  }
}
