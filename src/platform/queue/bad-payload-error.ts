// Thrown when a payload does not match its queue's schema.

import type { z } from 'zod'
import type { QueueName } from './queues.ts'

/** Names the queue and the invalid fields, but never their values, because an invalid payload may contain anything. */
export class BadPayloadError extends Error {
  override readonly name = 'BadPayloadError'
  readonly code = 'BAD_PAYLOAD'

  constructor(queue: QueueName, fault: z.ZodError) {
    const fields = [...new Set(fault.issues.map((issue) => issue.path.join('.') || '(the whole payload)'))].join(', ')
    super(
      `The payload for queue ${queue} is invalid at: ${fields}. Pass exactly the ids that src/platform/queue/queues.ts lists.`,
    )
  }
}
