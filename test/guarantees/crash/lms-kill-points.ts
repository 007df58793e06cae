// The points at which processes that ingest completions and deliver outcomes are stopped, in the order of the data
// flow. Each says what has and has not happened by then. Each of these verbs is one statement or one transaction, so
// "before" and "after" cover all cases.

export interface LmsKill {
  job: 'process-events' | 'poll' | 'sweep' | 'start' | 'write-back' | 'deliver' | 'look-back'
  /** `noun.verb:before` or `:after`. */
  at: string
  what: string
  /** Whether the Moodle site is unavailable during this process. */
  away: boolean
  /** Verbs whose result is stored here but not used yet; they need no point. */
  covers: readonly string[]
}

function kill(
  job: LmsKill['job'],
  at: string,
  what: string,
  { away = false, covers = [] }: Partial<Pick<LmsKill, 'away' | 'covers'>> = {},
): LmsKill {
  return { job, at, what, away, covers }
}

const away = { away: true }

export const processing: readonly LmsKill[] = [
  kill(
    'process-events',
    'completions.ingest:before',
    'An inbound event is read and the Moodle site queried; nothing is recorded.',
  ),
  kill(
    'process-events',
    'completions.ingest:after',
    'The completion is recorded; its event is not marked as processed.',
  ),
  kill(
    'process-events',
    'inboundEvents.noteProcessed:before',
    'The completion was ingested again; its event is not marked as processed.',
  ),
  kill('process-events', 'inboundEvents.noteProcessed:after', 'One event is processed; the next is not.'),
  kill('process-events', 'completions.createRun:before', 'All events are processed; their completions are in no run.'),
  kill(
    'process-events',
    'completions.createRun:after',
    'The completions are in a run; reading it is not requested yet.',
  ),
  kill(
    'process-events',
    'inboundEvents.postpone:before',
    'The Moodle site is unavailable; the events are still due.',
    away,
  ),
  kill('process-events', 'inboundEvents.postpone:after', 'The events are postponed; the job has not ended.', {
    ...away,
    covers: ['inboundEvents.hold'],
  }),
]

export const polling: readonly LmsKill[] = [
  kill('poll', 'completions.ingest:before', 'The Moodle site has answered; nothing is recorded.'),
  kill('poll', 'completions.ingest:after', 'The completions are recorded; the poll is not.'),
  kill('poll', 'learningSystems.notePolled:before', 'The completions were ingested again; the poll is not recorded.'),
  kill(
    'poll',
    'learningSystems.notePolled:after',
    'The poll is recorded as complete; deliveries that the Moodle site refused are not due yet.',
    {
      covers: ['deliveries.hurry'],
    },
  ),
  kill('poll', 'learningSystems.noteFailure:before', 'The Moodle site is unavailable; the poll is still due.', away),
  kill('poll', 'learningSystems.noteFailure:after', 'The poll is postponed; the job has not ended.', away),
  kill('sweep', 'learningSystems.take:after', 'The poll is marked as requested; its job is not in the queue.', {
    covers: ['learningSystems.register', 'completions.takeToCompare'],
  }),
  kill('start', 'completions.createRun:before', 'Completions of a refused run are waiting again; they are in no run.', {
    covers: ['completions.waitAgain', 'completions.compareNow', 'completions.tryAgain'],
  }),
]

export const delivering: readonly LmsKill[] = [
  kill('write-back', 'deliveries.request:before', 'A run has settled; no delivery is recorded for it.'),
  kill('write-back', 'deliveries.request:after', 'All deliveries are recorded; making them is not requested yet.'),
  kill('deliver', 'deliveries.note:before', 'The profile shows the credential; the ledger has no record of that.'),
  kill('deliver', 'deliveries.note:after', 'One delivery is recorded as made; the next is not.'),
  kill(
    'deliver',
    'deliveries.postpone:before',
    'The Moodle site was unavailable three times in a row; the other deliveries are still due.',
    away,
  ),
  kill(
    'deliver',
    'deliveries.postpone:after',
    'The other deliveries are postponed; delivery to the next target has not begun.',
    away,
  ),
  kill(
    'deliver',
    'deliveries.note:before',
    'The event has arrived and was answered; the ledger has no record of that.',
  ),
  kill('deliver', 'deliveries.note:after', 'One event is recorded as sent; the next is not sent.'),
  kill('deliver', 'deliveries.giveUp:before', 'An address has answered 410; its other deliveries are still pending.'),
  kill('deliver', 'deliveries.giveUp:after', 'Deliveries to that address have ended; the job has not.'),
]

export const lookingBack: readonly LmsKill[] = [
  kill('sweep', 'drift.take:after', 'The check of profiles is marked as requested; its job is not in the queue.'),
  kill('look-back', 'drift.begin:before', 'Profiles are due to be checked.'),
  kill('look-back', 'drift.begin:after', 'A check has begun; no profile was read.'),
  kill('look-back', 'drift.postpone:before', 'The Moodle site is unavailable; the check is still due.', away),
  kill('look-back', 'drift.postpone:after', 'The check is postponed; the job has not ended.', away),
  kill('look-back', 'drift.note:before', 'A profile is read; the result is not recorded.'),
  kill('look-back', 'drift.note:after', 'One credential is to be delivered again; the next profile was not read.'),
  kill('look-back', 'drift.end:before', 'All profiles were read; the check is not recorded as ended.', {
    covers: ['deliveries.complete'],
  }),
  kill('look-back', 'drift.end:after', 'The check is recorded as ended; the job has not ended.'),
]

export const lmsKills: readonly LmsKill[] = [...processing, ...polling, ...delivering, ...lookingBack]
