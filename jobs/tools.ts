// What the stories work with. Each story names the few it needs; the composition root hands all of them in.

import type { App } from '#src/app.ts'

export type Tools = Pick<
  App,
  | 'ledger'
  | 'issuer'
  | 'courses'
  | 'pipelines'
  | 'uploads'
  | 'inboxes'
  | 'archives'
  | 'queues'
  | 'log'
  | 'clock'
  | 'tuning'
  | 'instance'
  | 'exclusive'
  | 'outbox'
  | 'learning'
  | 'wire'
>
