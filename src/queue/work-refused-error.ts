// A worker that was asked for where none can be started.

import type { QueueName } from './queues.ts'

export class WorkRefusedError extends Error {
  override readonly name = 'WorkRefusedError'

  constructor(queue: QueueName, why: 'worked already' | 'stopped') {
    const next =
      why === 'stopped'
        ? 'Open the queues anew.'
        : 'Call work() once per queue and pass a concurrency for more jobs at a time.'
    super(`No worker was started for queue ${queue}: in this process it is ${why}. ${next}`)
  }
}
