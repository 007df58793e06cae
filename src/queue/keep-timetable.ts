// The times at which a queue asks by itself, through BullMQ's job schedulers.

import type { Payload, QueueName } from './queues.ts'
import type { StoredQueue } from './store.ts'

export interface Timed<Name extends QueueName> {
  /** Letters, digits and hyphens; the same one is replaced. */
  id: string
  payload: Payload<Name>
  /** Every so many milliseconds, or by a cron line of five fields in a time zone. */
  at: { every: number } | { pattern: string; tz: string }
}

/**
 * Brings the queue's schedulers to what the timetable says. One after the other: on PostgreSQL eight at once ended in a deadlock and a job that
 * ran twice, while a hundred in a row, with two workers at work, did neither.
 */
export async function keepTimetable<Name extends QueueName>(
  queue: StoredQueue,
  name: Name,
  timetable: readonly Timed<Name>[],
): Promise<void> {
  const wanted = new Set(timetable.map(({ id }) => id))
  for (const { key } of await queue.getJobSchedulers()) if (!wanted.has(key)) await queue.removeJobScheduler(key)
  for (const { id, at, payload } of timetable) await queue.upsertJobScheduler(id, at, { name, data: payload })
}
