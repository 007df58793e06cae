// Thrown when a worker cannot be started: the queue has one in this process already, or the queues were stopped.

import type { QueueName } from './queues.ts'

export class WorkRefusedError extends Error {
  override readonly name = 'WorkRefusedError'

  constructor(queue: QueueName, why: 'already started' | 'stopped') {
    const next =
      why === 'stopped'
        ? 'Open the queues again.'
        : 'Call work() once per queue and pass a concurrency for more jobs at a time.'
    const reason =
      why === 'stopped' ? 'the queues of this process were stopped' : 'this process already has a worker for it'
    super(`No worker was started for queue ${queue}: ${reason}. ${next}`)
  }
}
