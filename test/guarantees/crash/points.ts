// The points at which a worker is killed, in the order of the data flow. Each says what has and has not happened by
// then.
//
// The name of a point locates it at a seam: `ledger.verb:before` and `:after` surround a call; `sql.verb(text):before`
// is before the first statement of that verb that contains the text, `:sent` after the statement was written and before
// its answer; `wire.…` is in the exchange of an invitation; `reading.next:sent` is a reading thread at work.

import type { SceneName } from './scenes.ts'

export interface Point {
  name: string
  what: string
  /** The minimum number of times it is reached in a run of five batches; the seed draws one of them. */
  hits: number
  scene: SceneName
  /** Verbs whose result is stored here but not used yet; they need no point. */
  covers: readonly string[]
  /** The point of an earlier kill, when this point lies in the recovery from it. */
  prelude: string | null
  /** Reached only while the ledger has a single worker (without Redis). */
  alone: boolean
}

function point(name: string, what: string, more: Partial<Omit<Point, 'name' | 'what'>> = {}): Point {
  return { name, what, hits: 1, scene: 'plain', covers: [], prelude: null, alone: false, ...more }
}

const perBatch = { hits: 4 }
const lostRequest = { scene: 'a request is lost' } as const
const notReady = { scene: 'the course is not approved' } as const
const archived = { scene: 'certificates are archived' } as const
const corrected = { scene: 'credentials are revoked and corrected' } as const
const recovery = { prelude: 'wire.bodySent' }

export const points: readonly Point[] = [
  // Start
  point('ledger.sendingStops.compare:after', 'The mark and the ledger are compared; no work is requested yet.', {
    hits: 3,
  }),
  // Intake
  point('queues.enqueue(intake):before', 'Reading a file is marked as requested; its job is not in the queue.', {
    covers: ['work.takeRunsToRead'],
  }),
  point('ledger.intake.clear:after', 'What an earlier reading left behind is removed; nothing is staged.'),
  point('reading.next:sent', 'A thread is reading rows of the file and ends with its process; nothing is staged.'),
  point('sql.intake.stage(UPDATE run):before', 'Rows are read and checked but not staged.'),
  point(
    "sql.intake.publish(UPDATE run SET state = 'published'):before",
    'Issuances and rows are inserted; the run is not published, and nothing is committed.',
  ),
  point(
    'sql.intake.publish(COMMIT):sent',
    'The commit of the publication is sent; its result is not known to the process.',
  ),
  point('ledger.intake.publish:after', 'The rows are published; the file of invalid rows is not written.'),
  point(
    'sql.runs.refuse(UPDATE run SET state):before',
    'A file is found to be unusable; it is not refused yet, and its staged rows still exist.',
    {
      scene: 'a file is unusable',
    },
  ),
  point(
    'queues.enqueue(sweep):before',
    'The file is read and its first batches are prepared; a sweep is not requested yet.',
  ),
  // Preparing attempts
  point(
    'sql.attempts.prepare(INSERT INTO attempt_item):before',
    'Attempts are inserted without their rows; nothing is committed.',
  ),
  point(
    'sql.attempts.prepare(COMMIT):sent',
    'The commit of prepared batches, or of none, is sent; its result is not known to the process.',
    { hits: 2 },
  ),
  point(
    'queues.enqueue(issue):before',
    'Prepared batches are marked as requested; this job and later ones are not in the queue.',
    {
      hits: 4,
      covers: ['work.takeAttemptsToSend'],
    },
  ),
  point('queues.enqueue(issue):after', 'This job is in the queue; later ones are not.', perBatch),
  // The call
  point('ledger.attempts.load:after', 'A job is taken and its batch read; nothing has changed.', perBatch),
  point('ledger.scans.begin:after', 'A scan of the report is recorded as begun; no page was read.', { hits: 2 }),
  point('ledger.scans.noteSightings:after', 'A page’s items are recorded as seen but not yet matched to rows.', {
    hits: 3,
  }),
  point('ledger.scans.end:before', 'All pages are read and applied; the scan is not recorded as complete.', {
    hits: 2,
  }),
  point('ledger.scans.end:after', 'The scan is recorded as complete; rows that it did not show are not counted yet.', {
    hits: 2,
  }),
  point('ledger.attempts.claim:before', 'The body is built; the batch is not claimed.', perBatch),
  point(
    'sql.attempts.claim(UPDATE issuance):before',
    'The attempt is claimed, its rows are not; nothing is committed.',
    perBatch,
  ),
  point(
    'sql.attempts.claim(COMMIT):sent',
    'The commit of the claim is sent; its result is not known to the process, and no call was made.',
    perBatch,
  ),
  point('mark.raise:before', 'The claim is committed; the mark outside the ledger does not contain it.', perBatch),
  point('issuer.invite:before', 'The claim is committed and the mark raised; nothing was sent.', perBatch),
  point('wire.headersSent', 'The connection is open; the request is about to be written.', perBatch),
  point(
    'wire.bodySent',
    'The request is handed to the operating system; the service may have received it and may issue.',
    perBatch,
  ),
  point('wire.answerSeen', 'The head of the answer has arrived but was not read.', perBatch),
  point('issuer.invite:after', 'Only the process knows the outcome.', perBatch),
  point(
    'sql.attempts.end(UPDATE issuance):before',
    'The attempt has its outcome, its rows do not; nothing is committed.',
    perBatch,
  ),
  point(
    'sql.attempts.end(COMMIT):sent',
    'The commit of the outcome is sent; its result is not known to the process.',
    perBatch,
  ),
  point(
    'ledger.poller.hurry:after',
    'The outcome is recorded and the next poll brought forward; the next batch is not prepared.',
    perBatch,
  ),
  // Pauses
  point(
    "sql.courses.pauseAfterTrouble(UPDATE attempt SET phase = 'dropped'):before",
    'The course is paused, later batches are not dropped; nothing is committed.',
    {
      scene: 'two answers are lost',
    },
  ),
  point('ledger.courses.pause:after', 'The course is paused; its batch is still prepared for the claim.', notReady),
  point(
    'sql.attempts.drop(COMMIT):sent',
    'The commit that drops the batch is sent; its result is not known to the process.',
    notReady,
  ),
  // Following
  point('queues.enqueue(reconcile):before', 'The poll is marked as requested; its job is not in the queue.', {
    covers: ['work.takePoll'],
  }),
  point(
    'sql.report.apply(UPDATE issuance i SET state):before',
    'Items of a page are claimed, their owners have not moved; nothing is committed.',
    {
      hits: 3,
    },
  ),
  point(
    'sql.report.apply(COMMIT):sent',
    'The commit of a page’s claims and moves is sent; its result is not known to the process.',
    {
      hits: 3,
    },
  ),
  point(
    'ledger.absence.noteLooks:after',
    'A look is counted for rows that the report did not show; nothing is decided.',
    lostRequest,
  ),
  point(
    'sql.absence.sendAgain(UPDATE issuance):before',
    'Rows are proven absent; they are not pending again yet.',
    lostRequest,
  ),
  point(
    'sql.absence.sendAgain(UPDATE issuance):sent',
    'The statement that makes unsent rows pending is sent; its result is not known to the process.',
    lostRequest,
  ),
  point('sql.absence.hold(UPDATE issuance):before', 'Rows are to be held; nothing has changed.', {
    scene: 'one batch is always lost',
  }),
  point(
    'sql.absence.hold(UPDATE issuance):sent',
    'The statement that holds the rows is sent; its result is not known to the process.',
    {
      scene: 'one batch is always lost',
    },
  ),
  point('ledger.poller.schedule:after', 'The next scan is scheduled; the job of this one has not ended.'),
  // Results
  point(
    'queues.enqueue(write-back):before',
    'The run is settled and writing its results is marked as requested; the job is not in the queue.',
    {
      covers: ['runs.settle', 'work.takeWriteBacks'],
    },
  ),
  point('outbox.open:after', 'A results file is created under its temporary name; no rows were read for it.', {
    hits: 2,
  }),
  point(
    'sql.writeBacks.readRows(FETCH 1000):before',
    'A results file is empty or half written, under its temporary name.',
    {
      hits: 3,
    },
  ),
  point('ledger.runs.notePaths:before', 'A results file has its final name; the ledger has no record of it.', {
    hits: 2,
  }),
  point('outbox.summarize:before', 'The results are in place; the summary of the run is outdated or missing.'),
  point('ledger.writeBacks.noteReported:before', 'The results are written but still marked as needed.'),
  point('ledger.writeBacks.noteReported:after', 'The results are recorded as written; the job has not ended.'),
  // Revocation and correction
  point('ledger.revocations.claim:before', 'A revocation is wanted; nothing was sent.', {
    ...corrected,
    hits: 2,
    covers: ['revocations.take'],
  }),
  point('issuer.revokeCredential:before', 'The revocation is claimed; nothing was sent.', { ...corrected, hits: 2 }),
  point(
    'wire.bodySent of a revocation',
    'The request is handed to the operating system; the service may have revoked.',
    {
      ...corrected,
      hits: 2,
    },
  ),
  point('issuer.revokeCredential:after', 'The credential is revoked; only the process knows.', {
    ...corrected,
    hits: 2,
  }),
  point(
    'ledger.revocations.end:after',
    'The outcome is recorded; the report was not checked, and no new row replaces the old one.',
    {
      ...corrected,
      hits: 2,
    },
  ),
  point('ledger.revocations.postpone:after', 'A check without a result is postponed.', corrected),
  point(
    'sql.revocations.carryOut(INSERT INTO issuance):sent',
    'The new row has the key; nothing is committed.',
    corrected,
  ),
  point('ledger.revocations.carryOut:after', 'The new row is pending; sending it is not requested yet.', corrected),
  point('ledger.revocations.noteCheck:after', 'A revocation was looked up, and what the report showed is recorded.', {
    ...corrected,
    covers: ['revocations.noteRevoked'],
  }),
  point(
    'ledger.revocations.noteCheck:before',
    'The dead worker’s revocation is marked lost, and the report was read for it; the result is not recorded.',
    { ...corrected, prelude: 'wire.bodySent of a revocation', covers: ['revocations.markLost'] },
  ),
  // Archiving
  point('queues.enqueue(archive):before', 'An archive is marked as requested; its job is not in the queue.', {
    ...archived,
    covers: ['archives.watch', 'archives.take'],
  }),
  point(
    'ledger.archives.noteKept:before',
    'A certificate is in its folder and on the list; the ledger has no record of it.',
    {
      ...archived,
      hits: 5,
    },
  ),
  point('ledger.archives.noteKept:after', 'A certificate is archived; the next is not started.', {
    ...archived,
    hits: 5,
  }),
  point('ledger.archives.noteFailure:after', 'A refused certificate is scheduled to be tried again.', archived),
  point(
    'ledger.archives.postpone:after',
    'The folder is missing and the archive postponed; the job has not ended.',
    archived,
  ),
  point('ledger.archives.noteFinished:after', 'Everything due is archived; the job has not ended.', archived),
  // Recovery from an earlier kill
  point(
    'ledger.work.forgetEnqueued:after',
    'The dead worker’s requests for jobs are cleared; no job is requested again yet.',
    {
      ...recovery,
      covers: ['workers.record'],
      alone: true,
    },
  ),
  point(
    'sql.attempts.markLost(UPDATE issuance):before',
    'The dead worker’s attempt is marked lost, its rows are still sending; nothing is committed.',
    recovery,
  ),
  point(
    'sql.attempts.markLost(UPDATE issuance):sent',
    'The statement that marks the rows is sent; nothing is committed.',
    recovery,
  ),
]

/** @throws if the name is not in the list */
export function pointNamed(name: string): Point {
  const found = points.find((point) => point.name === name)
  if (!found) throw new Error(`There is no point called ${name}. See test/guarantees/crash/points.ts.`)
  return found
}
