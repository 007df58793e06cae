// A payload that is not what its queue takes.

import type { z } from 'zod'
import type { QueueName } from './queues.ts'

/** Names the queue and the fields at fault, never their values: a wrong payload may hold anything. */
export class BadPayloadError extends Error {
  override readonly name = 'BadPayloadError'
  readonly code = 'BAD_PAYLOAD'

  constructor(queue: QueueName, fault: z.ZodError) {
    const fields = [...new Set(fault.issues.map((issue) => issue.path.join('.') || '(the whole)'))].join(', ')
    super(
      `The payload for queue ${queue} is wrong at: ${fields}. Pass the ids that src/queue/queues.ts lists, and no more.`,
    )
  }
}
