// Sets the times at which a queue adds recurring jobs, through BullMQ's job schedulers. Writes to the queue's store.

import type { Payload, QueueName } from './queues.ts'
import type { StoredQueue } from './store.ts'

export interface TimedJob<Name extends QueueName> {
  /** Letters, digits and hyphens; a scheduler with the same id is replaced. */
  id: string
  payload: Payload<Name>
  /** An interval in milliseconds, or a cron line of five fields in a time zone. */
  at: { every: number } | { pattern: string; tz: string }
}

/**
 * Makes the queue's schedulers match the timetable, one after another: on PostgreSQL, setting eight at the same time
 * ended in a deadlock and a job that ran twice, while setting a hundred in a row, with two active workers, did not.
 */
export async function keepTimetable<Name extends QueueName>(
  queue: StoredQueue,
  name: Name,
  timetable: readonly TimedJob<Name>[],
): Promise<void> {
  const wanted = new Set(timetable.map(({ id }) => id))
  for (const { key } of await queue.getJobSchedulers()) if (!wanted.has(key)) await queue.removeJobScheduler(key)
  for (const { id, at, payload } of timetable) await queue.upsertJobScheduler(id, at, { name, data: payload })
}
