// The parts of the app that jobs may use. Each job names the few parts that it needs; the worker passes all of
// them.

import type { App } from '#src/app/app.ts'

export type Tools = Pick<
  App,
  | 'ledger'
  | 'mark'
  | 'erasuresFile'
  | 'issuer'
  | 'courses'
  | 'pipelines'
  | 'uploads'
  | 'inboxes'
  | 'archives'
  | 'queues'
  | 'senders'
  | 'log'
  | 'clock'
  | 'random'
  | 'tuning'
  | 'instance'
  | 'exclusive'
  | 'outbox'
  | 'learning'
  | 'wire'
  | 'notices'
  | 'rowsOf'
  | 'outcomeTargets'
>
