// Payloads are parsed on both sides of the queue: what goes in, and what some older version once put there.

import { BadPayloadError } from './bad-payload-error.ts'
import { type Payload, type QueueName, queues } from './queues.ts'

/**
 * The payload as its queue takes it.
 * @throws BadPayloadError
 */
export function parsePayload<Name extends QueueName>(name: Name, data: unknown): Payload<Name> {
  const parsed = queues[name].payload.safeParse(data)
  if (!parsed.success) throw new BadPayloadError(name, parsed.error)
  // TypeScript can't follow an indexed schema to its own output; the line above has just checked it.
  return parsed.data as Payload<Name>
}
