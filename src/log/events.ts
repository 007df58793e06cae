// The vocabulary of the log: every event name, its level and its words, here alone. Fields are an allow-list of ids, counts and
// codes, because redaction by deny-list is known to miss nested and renamed keys: what is not named here cannot be logged.

export const events = {
  'worker.started': ['info', 'worker started'],
  'worker.stopping': ['info', 'worker is stopping'],
  'worker.stopped': ['info', 'worker stopped'],
  'clock.apart': ['warn', "this machine's clock is more than a minute from the service's (Date header)"],
  'worker.dead': ['warn', 'a worker is gone without a word; its calls are unconfirmed, its jobs are asked for again'],
  'worker.still': [
    'warn',
    'a worker stands still and held what all others wait for; its connection was ended, and the work goes on without it',
  ],
  'worker.displaced': [
    'error',
    'a worker without Redis has begun while this one had lost its connection; this one stops',
  ],
  'queue.apart': [
    'error',
    'other workers of this ledger use another Redis, or another database of it; give all of them the same REDIS_URL',
  ],
  'queue.new': [
    'warn',
    'the store of the queues knows nothing: it is new or was emptied; everything due is asked for again',
  ],
  'run.published': ['info', 'a source was read and its rows are in the ledger'],
  'run.braked': ['warn', 'a source would issue more than its brake allows; it waits for a person'],
  'inbox.taken': ['info', 'files were taken from an inbox'],
  'inbox.copy': ['info', 'a file has the content of a run that is not finished; it was put away'],
  'inbox.filed': ['info', 'the file of a finished run was put away'],
  'inbox.strange': ['warn', 'something in an inbox is never taken'],
  'inbox.missed': ['warn', 'an inbox was due while nobody looked; it was looked at once, now'],
  'inbox.unusable': ['error', 'an inbox cannot be used; it is tried again'],
  'run.elsewhere': [
    'warn',
    'this worker does not see the file of a run, or does not know its pipeline; it is left to another one',
  ],
  'attempt.elsewhere': ['warn', 'this worker does not know the pipeline of a batch; it is left to another one'],
  'run.refused': ['warn', 'a source was refused'],
  'attempt.sent': ['info', 'a batch was sent'],
  'attempt.lost': ['warn', 'a batch was being sent when its worker died; its rows are unconfirmed'],
  'course.two_identities': [
    'warn',
    'two pipelines of a course say differently who a person is; whoever is in the lists of both is issued twice',
  ],
  'course.paused': ['warn', 'a course is paused'],
  'report.scanned': ['info', 'the credential report was read'],
  'report.incomplete': ['info', 'the credential report moved while it was read, or ended early; it is read again'],
  'report.unknown_status': ['warn', 'the credential report shows a status that is not documented'],
  'issuance.again': ['info', 'rows of which the report proves that the service did not take them go out again'],
  'issuance.held': ['warn', 'an issuance needs a person'],
  'revocation.sent': ['info', 'a credential was asked to be revoked'],
  'revocation.looked': ['info', 'the report was asked about a revocation'],
  'correction.made': ['info', 'a revoked credential was corrected: another one takes its place'],
  'archive.kept': ['info', 'certificates were fetched into an archive'],
  'archive.refused': ['warn', 'a certificate could not be fetched into its archive; it is tried again'],
  'archive.page': ['warn', 'what came for a certificate is a web page, and perhaps no certificate'],
  'archive.stuck': ['error', 'nothing can be fetched into an archive; it is tried again'],
  'delivery.strange': ['warn', 'a delivery of a learning system was kept and not understood; it can be judged again'],
  'delivery.held': ['warn', 'deliveries wait, for nothing can be asked about their course; they are judged again'],
  'delivery.forgotten': ['info', 'the bodies of deliveries that came to rest long ago were removed'],
  'delivery.refused': ['warn', 'a delivery did not prove where it comes from'],
  'system.asked': ['info', 'a learning system was asked for completions'],
  'system.strange': ['warn', 'a learning system says something of learners that needs a person'],
  'system.unusable': [
    'error',
    'nothing can be told to a learning system because of its settings; credsync check says why, and what is to be told waits',
  ],
  'profile.shared': [
    'warn',
    'two pipelines write one profile field of one Moodle; a learner of both sees what was told last, and nothing of the other',
  ],
  'system.away': ['warn', 'a learning system could not be asked; it is asked again'],
  'tell.failed': ['warn', 'an outcome could not be told to its learning system'],
  'tell.drift': [
    'warn',
    'a learning system shows something else than it was told: told again where it was empty or ours, left otherwise',
  ],
  'target.away': ['warn', 'a learning system could not be told; it is tried again'],
  'results.written': ['info', 'a results file was written'],
  'limit.shared': [
    'warn',
    'another process holds the shared allowance of an endpoint to another limit; the lowest one counts',
  ],
  'sweep.asked': ['debug', 'work that had no live job was asked for again'],
  fault: ['error', 'something failed; the work stays in the ledger and is tried again'],
  'web.listening': ['info', 'health pages are served'],
} as const satisfies Record<string, readonly ['debug' | 'info' | 'warn' | 'error', string]>

export type EventName = keyof typeof events

export interface EventFields {
  run?: string
  pipeline?: string
  course?: string
  attempt?: number
  system?: string
  delivery?: number
  target?: string
  issuance?: number
  revocation?: number
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
  held?: number
  ms?: number
  port?: number
  storage?: string
  complete?: boolean
  due?: string
}
