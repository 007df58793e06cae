// Validates the payloads of jobs, both when a job is added and when it runs, because an older version of the program
// may have added it. Pure.

import { BadPayloadError } from './bad-payload-error.ts'
import { type Payload, type QueueName, queues } from './queues.ts'

/**
 * Returns the payload in the form that its queue takes.
 * @throws BadPayloadError
 */
export function parsePayload<Name extends QueueName>(name: Name, data: unknown): Payload<Name> {
  const parsed = queues[name].payload.safeParse(data)
  if (!parsed.success) throw new BadPayloadError(name, parsed.error)
  // TypeScript cannot relate an indexed schema to its own output; the line above has just checked it.
  return parsed.data as Payload<Name>
}
