// The parts of the core that its jobs may use. Each job names the few parts that it needs; the worker passes all of
// them.

import type { CoreApp } from '#src/app/open-core.ts'

export type Tools = Pick<
  CoreApp,
  | 'ledger'
  | 'mark'
  | 'issuer'
  | 'courses'
  | 'pipelines'
  | 'uploads'
  | 'inboxes'
  | 'queues'
  | 'senders'
  | 'log'
  | 'clock'
  | 'random'
  | 'tuning'
  | 'instance'
  | 'exclusive'
  | 'outbox'
  | 'rowsOf'
  | 'outcomeTargets'
>
