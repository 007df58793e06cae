// The points at which a worker is killed, in the order of the data: each says what has just happened and what has not.
//
// A name is an address at a seam: `ledger.verb:before` and `:after` a call, `sql.verb(text):before` the first statement of that verb
// which contains the text is handed to the driver, `:sent` when it was handed over and no answer has come, `wire.…` in the
// exchange of an invitation.

import type { SceneName } from './scenes.ts'

export interface Point {
  name: string
  what: string
  /** How often it is reached at least in a run of five batches; the seed draws one of them. */
  hits: number
  scene: SceneName
  /** Verbs whose work is on record at this point and not acted on yet; they need no point of their own. */
  covers: readonly string[]
  /** Killed here first: the point lies in the recovery from that. */
  prelude: string | null
  /** Only a worker that is alone on its ledger passes it. */
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
  // Intake
  point('queues.ask(intake):before', 'A file is marked as asked for; its job is not in the queue.', {
    covers: ['takeRunsToRead'],
  }),
  point('ledger.clearStaged:after', 'What an earlier reading left is gone; nothing is staged.'),
  point('sql.stageRows(UPDATE run):before', 'Rows are read and checked; these are not staged.'),
  point(
    "sql.publishRun(UPDATE run SET state = 'published'):before",
    'Issuances and rows are inserted; the run is not published, and nothing is committed.',
  ),
  point('sql.publishRun(COMMIT):sent', 'The publication is on its way to disk; nobody here knows.'),
  point('ledger.publishRun:after', 'The rows are published; the file of invalid rows is not written.'),
  point(
    'sql.refuseRun(UPDATE run SET state):before',
    'The staged rows of an unusable file are gone; it is not refused yet.',
    {
      scene: 'a file is unusable',
    },
  ),
  point('queues.ask(sweep):before', 'The file is read to its end; nobody is nudged to prepare its batches.'),
  // Preparing
  point(
    'sql.prepareAttempt(INSERT INTO attempt_item):before',
    'An attempt is inserted without its rows; nothing is committed.',
    perBatch,
  ),
  point('sql.prepareAttempt(COMMIT):sent', 'A batch is on its way to disk; nobody here knows.', perBatch),
  point(
    'queues.ask(issue):before',
    'Prepared batches are marked as asked for; this job and later ones are not in the queue.',
    {
      hits: 4,
      covers: ['takeAttemptsToSend'],
    },
  ),
  point('queues.ask(issue):after', 'This job is in the queue; later ones are not.', perBatch),
  // The call
  point('ledger.loadBatch:after', 'A job is taken and its batch read; nothing has changed.', perBatch),
  point('ledger.beginScan:after', 'A reading of the report is on record as begun; no page was read.', { hits: 2 }),
  point('ledger.noteSightings:after', 'A page’s items are noted as seen; nobody has looked whose they are.', {
    hits: 3,
  }),
  point('ledger.endScan:before', 'All pages are read and applied; the reading is not on record as complete.', {
    hits: 2,
  }),
  point('ledger.endScan:after', 'The reading is complete; what it did not show is not counted.', { hits: 2 }),
  point('ledger.passDoor:before', 'The body is made; the batch stands before the door.', perBatch),
  point(
    'sql.passDoor(UPDATE issuance):before',
    'The attempt is in the door, its rows are not; nothing is committed.',
    perBatch,
  ),
  point(
    'sql.passDoor(COMMIT):sent',
    'The passage is on its way to disk; nobody here knows, nothing was sent.',
    perBatch,
  ),
  point('issuer.invite:before', 'The door is passed; nothing was sent.', perBatch),
  point('wire.headersSent', 'The connection stands; the request is about to be written.', perBatch),
  point('wire.bodySent', 'The request is with the system; the service may have it and may issue.', perBatch),
  point('wire.answerSeen', 'The head of the answer is here; nobody has read it.', perBatch),
  point('issuer.invite:after', 'The outcome is known to the process and to nobody else.', perBatch),
  point(
    'sql.endAttempt(UPDATE issuance):before',
    'The attempt has its outcome, its rows do not; nothing is committed.',
    perBatch,
  ),
  point('sql.endAttempt(COMMIT):sent', 'The outcome is on its way to disk; nobody here knows.', perBatch),
  point(
    'ledger.hurryPoller:after',
    'The outcome is on record and the poller hurried; the next batch is not prepared.',
    perBatch,
  ),
  // Pauses
  point(
    "sql.pauseAfterTrouble(UPDATE attempt SET phase = 'dropped'):before",
    'The course is paused, what follows is not taken back; nothing is committed.',
    {
      scene: 'two answers are lost',
    },
  ),
  point('ledger.pauseCourse:after', 'The course is paused; its batch still stands before the door.', notReady),
  point('sql.dropAttempt(COMMIT):sent', 'The batch’s return is on its way to disk; nobody here knows.', notReady),
  // Following
  point('queues.ask(reconcile):before', 'The poller is marked as asked for; its job is not in the queue.', {
    covers: ['takePoll'],
  }),
  point(
    'sql.applyReport(UPDATE issuance i SET state):before',
    'Items of a page are claimed, their owners have not moved; nothing is committed.',
    {
      hits: 3,
    },
  ),
  point('sql.applyReport(COMMIT):sent', 'A page’s claims and moves are on their way to disk; nobody here knows.', {
    hits: 3,
  }),
  point(
    'ledger.noteLooks:after',
    'A look is counted for what the report did not show; nothing is decided.',
    lostRequest,
  ),
  point(
    'sql.sendAgain(UPDATE attempt_item):before',
    'Rows are pending again, their attempt still holds them; nothing is committed.',
    lostRequest,
  ),
  point(
    'sql.sendAgain(COMMIT):sent',
    'The return of unsent rows is on its way to disk; nobody here knows.',
    lostRequest,
  ),
  point(
    'sql.holdRows(UPDATE attempt_item):before',
    'Rows are held, their attempt still holds them; nothing is committed.',
    {
      scene: 'one batch is always lost',
    },
  ),
  point('sql.holdRows(COMMIT):sent', 'The holding is on its way to disk; nobody here knows.', {
    scene: 'one batch is always lost',
  }),
  point('ledger.schedulePoller:after', 'The next look is set; the job of this one is not done.'),
  // Telling
  point(
    'queues.ask(write-back):before',
    'The run is settled and its telling marked as asked for; the job is not in the queue.',
    {
      covers: ['settleRuns', 'takeWriteBacks'],
    },
  ),
  point('outbox.open:after', 'A results file is begun under its temporary name; nothing was read for it.', { hits: 2 }),
  point('sql.readResultRows(FETCH 1000):before', 'A results file is begun or half written, under its temporary name.', {
    hits: 3,
  }),
  point('ledger.noteRunPaths:before', 'A results file is in its place; the ledger does not know.', { hits: 2 }),
  point('outbox.summarize:before', 'The results are in their place; the page about the run is the old one, or none.'),
  point('ledger.noteTold:before', 'The results are written; they are still wanted.'),
  point('ledger.noteTold:after', 'The source is told; the job is not done.'),
  // Revoking and correcting
  point('ledger.revocations.passDoor:before', 'A revocation is wanted; nothing was sent.', {
    ...corrected,
    hits: 2,
    covers: ['revocations.take'],
  }),
  point('issuer.revokeCredential:before', 'Its door is passed; nothing was sent.', { ...corrected, hits: 2 }),
  point('wire.bodySent of a revocation', 'The request is with the system; the service may have revoked.', {
    ...corrected,
    hits: 2,
  }),
  point('issuer.revokeCredential:after', 'It is revoked; only the process knows.', { ...corrected, hits: 2 }),
  point('ledger.revocations.end:after', 'Its outcome is on record; nobody has looked, nothing takes its place.', {
    ...corrected,
    hits: 2,
  }),
  point('ledger.revocations.postpone:after', 'A look that came to nothing is put off.', corrected),
  point(
    'sql.revocations.carryOut(INSERT INTO issuance):sent',
    'The new one has the key; nothing is committed.',
    corrected,
  ),
  point('ledger.revocations.carryOut:after', 'The new one is pending; nobody is nudged to send it.', corrected),
  point('ledger.revocations.noteLook:after', 'A revocation was looked for, and what the report showed is on record.', {
    ...corrected,
    covers: ['revocations.noteRevoked'],
  }),
  point(
    'ledger.revocations.noteLook:before',
    'The dead worker’s revocation is lost, and the report read for it; what it showed is not on record.',
    { ...corrected, prelude: 'wire.bodySent of a revocation', covers: ['revocations.lose'] },
  ),
  // Archiving
  point('queues.ask(archive):before', 'An archive is marked as asked for; its job is not in the queue.', {
    ...archived,
    covers: ['archives.watch', 'archives.take'],
  }),
  point(
    'ledger.archives.noteKept:before',
    'A certificate is in its folder and on its list; the ledger does not know.',
    {
      ...archived,
      hits: 5,
    },
  ),
  point('ledger.archives.noteKept:after', 'A certificate is archived; nobody has taken the next.', {
    ...archived,
    hits: 5,
  }),
  point('ledger.archives.noteTrouble:after', 'A certificate that was refused is to be tried again.', archived),
  point('ledger.archives.putOff:after', 'The folder is away, and the archive put off; the job is not done.', archived),
  point('ledger.archives.noteTended:after', 'All that was due is archived; the job is not done.', archived),
  // Recovering from an earlier kill
  point('ledger.forgetAsked:after', 'What the dead worker asked for is forgotten; nothing is asked for anew.', {
    ...recovery,
    covers: ['showWorker'],
    alone: true,
  }),
  point(
    'sql.loseAttempts(UPDATE issuance):before',
    'The dead worker’s attempt is lost, its rows still sending; nothing is committed.',
    recovery,
  ),
  point('sql.loseAttempts(UPDATE issuance):sent', 'The loss is with the database, not committed.', recovery),
]

/** @throws for a name that is not in the list */
export function pointNamed(name: string): Point {
  const found = points.find((each) => each.name === name)
  if (!found) throw new Error(`There is no point ${name}; test/guarantees/crash/points.ts lists them.`)
  return found
}
