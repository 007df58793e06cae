// A fresh id for every wake of a job.

import type { QueueName } from './queues.ts'

/**
 * `<queue>-<subject>-<random>`. Never the same twice for one subject: adding an id that BullMQ still remembers does nothing
 * and looks like success, on both backends, and that is a person left out. Never an integer and without ':', which BullMQ refuses.
 * @param random text without ':' that differs at every call, such as a UUID
 */
export function freshJobId(name: QueueName, payload: object, random: string): string {
  const subject = Object.values(payload).join('-') || 'all'
  return `${name}-${subject}-${random}`
}
