// Validates the payloads of jobs, both when a job is added and when it runs, because an older version of the program
// may have added it. Pure.

import type { z } from 'zod'
import { type Payload, type QueueName, queues } from './queues.ts'

/**
 * Returns the payload with the type that its queue expects.
 * @throws BadPayloadError
 */
export function parsePayload<Name extends QueueName>(name: Name, data: unknown): Payload<Name> {
  const parsed = queues[name].payload.safeParse(data)
  if (!parsed.success) throw new BadPayloadError(name, parsed.error)
  // TypeScript cannot relate an indexed schema to its own output; the line above has just checked it.
  return parsed.data as Payload<Name>
}

/**
 * Thrown when a payload does not match its queue's schema. Names the queue and the invalid fields, but never their
 * values, because an invalid payload may contain anything.
 */
export class BadPayloadError extends Error {
  override readonly name = 'BadPayloadError'

  constructor(queue: QueueName, fault: z.ZodError) {
    const fields = [...new Set(fault.issues.map((issue) => issue.path.join('.') || '(the whole payload)'))].join(', ')
    super(
      `The payload for queue ${queue} is invalid at: ${fields}. Pass exactly the ids that src/platform/queue/queues.ts lists.`,
    )
  }
}
