// Defines every log event with its level and message, and the fields that an event may have. The fields are an
// allow-list of ids, counts and codes: a field that is not listed here cannot be logged. A deny-list would miss nested
// and renamed keys.

export const events = {
  'worker.started': ['info', 'worker started'],
  'worker.stopping': ['info', 'worker is stopping'],
  'worker.stopped': ['info', 'worker stopped'],
  'clock.apart': ['warn', "this machine's clock is more than a minute from the service's (Date header)"],
  'worker.dead': ['warn', 'a worker died; its calls are unconfirmed, and its jobs are queued again'],
  'worker.still': [
    'warn',
    'a worker stalled while holding a lock that all others need; its connection was ended, and the others continue',
  ],
  'worker.displaced': [
    'error',
    'another worker without Redis started while this one had lost its connection; this one stops',
  ],
  'queue.apart': [
    'error',
    'other workers of this ledger use another Redis server or database; give all workers the same REDIS_URL',
  ],
  'queue.new': ['warn', 'the store of the queues is empty: it is new or was emptied; everything due is queued again'],
  'run.published': ['info', 'a source was read and its rows are in the ledger'],
  'run.braked': [
    'warn',
    'a source would issue more than its brake allows, or the report already shows its course; it waits for a decision',
  ],
  'inbox.taken': ['info', 'files were taken from an inbox'],
  'inbox.copy': ['info', 'a file has the same content as a run that is not finished; the file was moved to done'],
  'inbox.filed': ['info', 'the file of a finished run was moved out of the inbox'],
  'inbox.strange': ['warn', 'an entry in an inbox will never be taken'],
  'inbox.missed': ['warn', 'an inbox was due while no worker ran; it was checked now'],
  'inbox.unusable': ['error', 'an inbox cannot be used; this is retried'],
  'run.elsewhere': ['warn', 'this worker lacks the file or the pipeline of a run; the run is left to another worker'],
  'attempt.elsewhere': ['warn', 'this worker lacks the pipeline of a batch; the batch is left to another worker'],
  'run.waits': ['warn', 'the first list of a course waits until the report has been checked for it'],
  'run.refused': ['warn', 'a source was refused'],
  'attempt.sent': ['info', 'a batch was sent'],
  'attempt.lost': ['warn', 'a batch was being sent when its worker died; its rows are unconfirmed'],
  'outcome.late': ['info', 'the outcome of a call arrived after its attempt had ended, and changes nothing'],
  'outcome.forgotten': [
    'error',
    'the outcome of a call arrived, but the call is missing from the ledger, which was rolled back; nothing more is sent',
  ],
  'sending.stopped': [
    'error',
    'nothing is sent: the ledger may have lost calls; credsync status says why, credsync adopt and credsync trust-ledger resume sending',
  ],
  'ledger.moved': ['info', 'the ledger is on another server or timeline than before; no call is missing from it'],
  'course.two_identities': [
    'warn',
    'two pipelines of a course identify people differently; a person in the lists of both gets two credentials',
  ],
  'course.paused': ['warn', 'a course is paused'],
  'report.scanned': ['info', 'the credential report was read'],
  'report.incomplete': [
    'info',
    'the credential report changed while it was being read, or ended early; it is read again',
  ],
  'watch.ended': ['info', 'issued credentials were checked; count is how many of them were revoked'],
  'pages.smaller': [
    'warn',
    'the service refuses pages of the requested size; size is the smaller number of rows requested now (0: none is named)',
  ],
  'report.unknown_status': ['warn', 'the credential report shows a status that is not documented'],
  'issuance.again': ['info', 'rows that the service provably did not take are sent again'],
  'issuance.held': ['warn', 'an issuance is held until an operator decides'],
  'revocation.sent': ['info', 'the service was asked to revoke a credential'],
  'revocation.looked': ['info', 'the report was checked for a revocation'],
  'correction.made': ['info', 'a correction continues: the revoked credential is replaced by a new one'],
  'archive.kept': ['info', 'certificates were fetched into an archive'],
  'archive.refused': ['warn', 'a certificate could not be fetched into its archive; this is retried'],
  'archive.page': [
    'warn',
    'the file that was downloaded for a certificate is a web page, and may not be a certificate',
  ],
  'files.expired': ['info', 'files that were kept for as long as the settings say were removed'],
  'archive.stuck': ['error', 'nothing can be fetched into an archive; this is retried'],
  'inbound_event.strange': [
    'warn',
    'an event of a learning system was stored but not understood; it can be processed again',
  ],
  'inbound_event.held': [
    'warn',
    'events of a learning system wait, because their course cannot be looked up; this is retried',
  ],
  'inbound_event.forgotten': ['info', 'the bodies of events that were settled long ago were removed'],
  'inbound_event.refused': ['warn', 'events were refused because their sender could not be verified'],
  'system.asked': ['info', 'a learning system was polled for completions'],
  'completion.older': [
    'warn',
    'completions are older than the newest known one of their learner: they are stored, and renew nothing',
  ],
  'system.strange': ['warn', 'a learning system reports something about learners that an operator must resolve'],
  'system.away': ['warn', 'a learning system could not be polled; this is retried'],
  'delivery.refused': [
    'warn',
    'a learning system refuses the outcome of a learner until an operator adds what is missing; credsync events says what',
  ],
  'delivery.incomplete': [
    'warn',
    'an outcome was delivered without what the report does not show yet, such as the public link, which is delivered later',
  ],
  'delivery.failed': ['warn', 'an outcome could not be delivered to its learning system'],
  'delivery.drift': [
    'warn',
    'a learning system shows something other than what was delivered; empty and our own values were replaced, others were left',
  ],
  'target.away': ['warn', 'an outcome could not be delivered for now; this is retried'],
  'notice.opened': ['info', 'there is something that somebody must know; recipients are notified'],
  'notice.recovered': ['info', 'what recipients were notified of is over'],
  'notice.withdrawn': ['info', 'what recipients were notified of is no longer watched'],
  'notice.delivered': ['info', 'a message was delivered to a recipient'],
  'notice.forgotten': ['info', 'what waited for a recipient who is no longer in the configuration was removed'],
  'notice.abandoned': [
    'error',
    'the server of a recipient refused a message for its content, in its short form too; it is not sent again',
  ],
  'notice.undelivered': [
    'warn',
    'a message could not be delivered to a recipient; this is retried, and credsync notices says why',
  ],
  'heartbeat.failed': ['warn', 'the watchdog elsewhere did not accept the heartbeat; this is retried'],
  'results.written': ['info', 'a results file was written'],
  'limit.shared': ['warn', 'another process has a different limit for a shared endpoint; the lowest one counts'],
  'erasure.waits': ['info', 'an erasure waits for something that its rows still need'],
  'retention.emptied': ['info', 'data of people whose lists are older than their pipeline keeps data were deleted'],
  'erasure.ended': ['info', 'an erasure was carried out: the data of its people are no longer in the ledger'],
  'sweep.asked': ['debug', 'work without a live job was queued again'],
  fault: ['error', 'something failed; the work stays in the ledger and is retried'],
  'process.failed': [
    'error',
    'an unhandled fault ended this process; its work is in the ledger, and the next start continues it',
  ],
  'web.listening': ['info', 'health pages are served'],
  'console.listening': ['info', 'the console is served'],
  'console.expired': ['info', 'acts in the console that were kept for as long as the settings say were deleted'],
  'console.refused': ['warn', 'somebody could not sign in to the console'],
} as const satisfies Record<string, readonly ['debug' | 'info' | 'warn' | 'error', string]>

export type EventName = keyof typeof events

export interface EventFields {
  run?: string
  pipeline?: string
  course?: string
  attempt?: number
  system?: string | undefined
  inboundEvent?: number
  target?: string
  /** The channel through which a recipient of notices is reached. */
  channel?: string
  issuance?: number
  /** The learning system's own id of a learner, or of several learners; never a name or an address. */
  learner?: string | undefined
  revocation?: number
  erasure?: string
  environment?: string
  instance?: string
  queue?: string
  where?: string
  error?: string
  code?: string | null
  outcome?: string
  status?: number | null
  reason?: string
  label?: string
  rows?: number
  invalid?: number
  skipped?: number
  accepted?: number
  size?: number
  pages?: number
  items?: number
  claimed?: number
  moved?: number
  count?: number
  addresses?: number
  held?: number
  ms?: number
  port?: number
  storage?: string
  complete?: boolean
  due?: string
}
