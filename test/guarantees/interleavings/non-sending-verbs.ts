// Verbs of the ledger that write but do not send: those for intake, results, archives, learning systems and notices. A
// new verb that writes is added here, in verbs.ts or in unpaired-verbs.ts; interleavings.test.ts fails until it is.
//
// Verbs get the same rows in opposite orders, so that two of them deadlock if one does not lock its rows in order.

import type { WholeLedger } from '#src/app/whole-ledger.ts'
import { aRecipient, aStagedRow } from '#test/support/domain-objects.ts'
import { brake, keyOf, publication } from './scene.ts'
import { noticedAt, noticeOf, opening, target } from './scene-additions.ts'
import { idsOfPeople, isReadTwice, type Verb } from './verb.ts'

const source = { pipeline: 'spring', sourceName: 'new.csv', sourcePath: '/in/new.csv', sourceSha256: 'received.csv' }
const uploaded = { pipeline: 'spring', sourceName: 'list.csv', sourcePath: '/up/list.csv', sourceSha256: 'list.csv' }
const upload = '00000000-0000-4000-8000-00000000000b'
const rowsOf = (ledger: WholeLedger) =>
  [31, 34].map((person, at) => aStagedRow(at + 9, aRecipient(person), ledger.hasher))

const intakeVerbs: Verb[] = [
  { name: 'runs.receive', run: (ledger) => ledger.runs.receive(source) },
  {
    ...{ name: 'issuedLists.receive', mayThrow: ({ message }) => message.includes('console_act_of_issued_list') },
    async run({ issuedLists }) {
      const run = await issuedLists.runOf(upload)
      return run ?? (await issuedLists.receive(uploaded, { upload, by: 'ada' }, noticedAt(0))).run.id
    },
  },
  { name: 'runs.noteUnreadable', run: (ledger, { runs }) => ledger.runs.noteUnreadable(runs.staged) },
  { name: 'runs.noteReadable', run: (ledger, { runs }) => ledger.runs.noteReadable(runs.received) },
  { name: 'runs.refuse', run: (ledger, { runs }) => ledger.runs.refuse(runs.staged, 'No.') },
  { name: 'runs.notePaths', run: (ledger, { runs }) => ledger.runs.notePaths(runs.settled, { results: '/out/a.csv' }) },
  { name: 'runs.settle', run: (ledger) => ledger.runs.settle() },
  { name: 'intake.clear', run: (ledger, { runs }) => ledger.intake.clear(runs.staged) },
  {
    ...{ name: 'intake.stage', mayThrow: isReadTwice },
    run: (ledger, { runs }) => ledger.intake.stage(runs.staged, rowsOf(ledger)),
  },
  {
    ...{ name: 'intake.publish', mayThrow: isReadTwice },
    run: (ledger, { runs }) => ledger.intake.publish(runs.staged, publication, 5),
  },
  {
    ...{ name: 'intake.publish', variant: 'braked', mayThrow: isReadTwice },
    run: (ledger, { runs }) => ledger.intake.publish(runs.staged, { ...publication, brake }, 5),
  },
  { name: 'work.takeRunsToRead', run: (ledger) => ledger.work.takeRunsToRead() },
  { name: 'work.takeAttemptsToSend', run: (ledger) => ledger.work.takeAttemptsToSend() },
  { name: 'work.takePoll', run: (ledger) => ledger.work.takePoll() },
  { name: 'work.takeWriteBacks', run: (ledger) => ledger.work.takeWriteBacks() },
  { name: 'firstList.noteWaiting', run: (ledger, { runs }) => ledger.firstList.noteWaiting(runs.staged, 'No answer.') },
  { name: 'work.forgetEnqueued', run: (ledger) => ledger.work.forgetEnqueued() },
]

const deliveryVerbs: Verb[] = [
  { name: 'writeBacks.want', run: (ledger, { runs }) => ledger.writeBacks.want(runs.settled) },
  { name: 'writeBacks.noteReported', run: (ledger, { runs }) => ledger.writeBacks.noteReported(runs.settled, 1) },
  {
    name: 'deliveries.request',
    run: (ledger, { runs }) => ledger.deliveries.request(runs.settled, [{ ...target, name: 'hooks' }]),
  },
  {
    name: 'deliveries.note',
    run: (ledger, { deliveries }) => ledger.deliveries.note(deliveries.pending, { kind: 'verified' }),
  },
  {
    name: 'deliveries.requestAll',
    run: (ledger) => ledger.deliveries.requestAll('spring', [{ ...target, name: 'later' }]),
  },
  { name: 'deliveries.again', run: (ledger) => ledger.deliveries.again('spring', [target]) },
  { name: 'deliveries.complete', run: (ledger) => ledger.deliveries.complete([target]) },
  { name: 'deliveries.hurry', run: (ledger) => ledger.deliveries.hurry(['campus'], false) },
  { name: 'deliveries.postpone', run: (ledger) => ledger.deliveries.postpone('spring', 'campus', 1_000) },
  { name: 'deliveries.giveUp', run: (ledger) => ledger.deliveries.giveUp('spring', 'campus', 'gone') },
  {
    name: 'drift.note',
    run: (ledger, { deliveries }) => ledger.drift.note(deliveries.verified, { found: 'again' }),
  },
  { name: 'drift.take', run: (ledger) => ledger.drift.take() },
  { name: 'drift.begin', run: (ledger) => ledger.drift.begin('campus') },
  { name: 'drift.end', run: (ledger) => ledger.drift.end('campus', new Date()) },
  { name: 'drift.postpone', run: (ledger) => ledger.drift.postpone('campus', 1_000) },
  { name: 'archives.watch', run: (ledger) => ledger.archives.watch([{ pipeline: 'spring', folder: '/other' }]) },
  { name: 'archives.take', run: (ledger) => ledger.archives.take() },
  {
    name: 'archives.noteKept',
    run: (ledger, scene) => {
      const file = { folder: '/archive', file: 'a.pdf', sha256: 'aa', size: 1, contentType: 'application/pdf' }
      return ledger.archives.noteKept('spring', idsOfPeople(scene, 4, 3), {
        ...file,
        fetchedAt: '2026-01-01T00:00:00Z',
      })
    },
  },
  {
    name: 'archives.noteFailure',
    run: (ledger, scene) => ledger.archives.noteFailure(idsOfPeople(scene, 3, 4), 'No.', 1_000),
  },
  { name: 'archives.postpone', run: (ledger) => ledger.archives.postpone('spring', 'No.', 1_000) },
  { name: 'archives.noteFinished', run: (ledger) => ledger.archives.noteFinished('spring') },
]

const reportPosition = { position: 500, pageRecords: 500 }

const watchVerbs: Verb[] = [
  { name: 'watching.begin', run: (ledger) => ledger.watching.begin(new Date(0)) },
  { name: 'watching.take', run: (ledger) => ledger.watching.take() },
  { name: 'watching.noteSeen', run: (ledger) => ledger.watching.noteSeen([keyOf(4), keyOf(3)], reportPosition) },
  { name: 'watching.noteLooked', run: (ledger, scene) => ledger.watching.noteLooked(idsOfPeople(scene, 3, 4), false) },
  { name: 'watching.noteInOrder', run: (ledger) => ledger.watching.noteInOrder(new Date()) },
  { name: 'watching.beginRound', run: (ledger) => ledger.watching.beginRound() },
  { name: 'watching.endRound', run: (ledger) => ledger.watching.endRound() },
  { name: 'watching.endCheck', run: (ledger) => ledger.watching.endCheck('pages', new Date()) },
  { name: 'watching.postpone', run: (ledger) => ledger.watching.postpone(1_000) },
  { name: 'watching.requestAll', run: (ledger) => ledger.watching.requestAll() },
]

const completion = { learner: 'l3', course: 'FIRE-1', completedAt: new Date('2026-02-01'), cells: {} }
const invalidCompletion = {
  ...{ learner: 'l0', course: 'FIRE-1', completedAt: new Date('2026-01-01') },
  cells: { e_mail: 'person.59@example.org' },
}
const campus = { system: 'campus', pipeline: 'spring', renewAfterMs: null }

const inboundEvent = { system: 'campus', key: '02', headers: {}, body: Buffer.from('{}') }
const namedEvent = { key: '03', digest: 'aa', body: '{}', voids: '01' }

const inboxAndSystemVerbs: Verb[] = [
  { name: 'inboxes.status', run: (ledger) => ledger.inboxes.status('autumn', new Date(0)) },
  { name: 'inboxes.take', run: (ledger) => ledger.inboxes.take('spring') },
  {
    name: 'inboxes.noteScan',
    run: (ledger) => ledger.inboxes.noteScan('spring', { at: new Date(), againAt: new Date(), scan: null }),
  },
  { name: 'inboxes.noteFinished', run: (ledger) => ledger.inboxes.noteFinished('spring') },
  { name: 'inboxes.noteProblem', run: (ledger) => ledger.inboxes.noteProblem('spring', 'It is unavailable.') },
  {
    name: 'inboxes.receive',
    run: (ledger) => ledger.inboxes.receive({ ...source, sourceSha256: 'new', runIdPrefix: null }),
  },
  { name: 'inboxes.noteFiled', run: (ledger, { runs }) => ledger.inboxes.noteFiled(runs.settled, '/in/done/old.csv') },
  { name: 'learningSystems.register', run: (ledger) => ledger.learningSystems.register(['campus', 'other']) },
  { name: 'learningSystems.take', run: (ledger) => ledger.learningSystems.take() },
  {
    name: 'learningSystems.notePolled',
    run: (ledger) =>
      ledger.learningSystems.notePolled('campus', { nextAt: new Date(), fullPollAt: null, problem: null }),
  },
  {
    name: 'learningSystems.noteFailure',
    run: (ledger) => ledger.learningSystems.noteFailure('campus', 'Unavailable.', 1_000),
  },
  { name: 'learningSystems.pollAllNow', run: (ledger) => ledger.learningSystems.pollAllNow('campus') },
  { name: 'learningSystems.noteAway', run: (ledger) => ledger.learningSystems.noteAway('campus', 'Unavailable.') },
  { name: 'learningSystems.noteBack', run: (ledger) => ledger.learningSystems.noteBack('gradebook') },
]

const completionVerbs: Verb[] = [
  { name: 'inboundEvents.keep', run: (ledger) => ledger.inboundEvents.keep([inboundEvent]) },
  { name: 'inboundEvents.keepNamed', run: (ledger) => ledger.inboundEvents.keepNamed('campus', [namedEvent]) },
  { name: 'completions.ingest', run: (ledger) => ledger.completions.ingest(campus, [completion], 'poll') },
  {
    ...{ name: 'completions.ingest', variant: 'of an invalid one' },
    run: (ledger) => ledger.completions.ingest(campus, [invalidCompletion], 'poll'),
  },
  {
    ...{ name: 'intake.publish', variant: 'completions', mayThrow: isReadTwice },
    run: async (ledger) => {
      const run = await ledger.completions.createRun('spring')
      if (run === null) return
      await ledger.intake.stage(run, [aStagedRow(2, aRecipient(52), ledger.hasher)])
      await ledger.intake.publish(run, { ...publication, rulesHash: 'rules' }, 1)
    },
  },
  { name: 'completions.createRun', run: (ledger) => ledger.completions.createRun('spring') },
  { name: 'completions.waitAgain', run: (ledger) => ledger.completions.waitAgain() },
  { name: 'completions.compareNow', run: (ledger) => ledger.completions.compareNow() },
  { name: 'completions.takeToCompare', run: (ledger) => ledger.completions.takeToCompare() },
  { name: 'completions.tryAgain', run: (ledger) => ledger.completions.tryAgain('spring', 'other rules') },
  { name: 'inboundEvents.postpone', run: (ledger) => ledger.inboundEvents.postpone('campus', 1_000) },
  {
    name: 'inboundEvents.hold',
    run: (ledger, { inboundEvent }) => ledger.inboundEvents.hold(inboundEvent, 'It waits.', 1_000),
  },
  {
    name: 'inboundEvents.noteProcessed',
    run: (ledger, { inboundEvent }) =>
      ledger.inboundEvents.noteProcessed(inboundEvent, { kind: 'strange', problem: 'Strange.' }),
  },
  { name: 'inboundEvents.processAgain', run: (ledger) => ledger.inboundEvents.processAgain('campus') },
  { name: 'inboundEvents.close', run: (ledger) => ledger.inboundEvents.close(2) },
  {
    name: 'inboundEvents.forgetBodies',
    run: (ledger) => ledger.inboundEvents.forgetBodies([{ system: 'campus', days: 0 }]),
  },
]

const later = noticedAt(3_000)
const [held, missing] = ['person held spring', 'missing list spring']

const noticeVerbs: Verb[] = [
  {
    ...{ name: 'notices.apply', variant: 'open' },
    run: (ledger) => ledger.notices.apply([opening(held), opening('keys keys'), opening('away queue')], later),
  },
  {
    ...{ name: 'notices.apply', variant: 'remind' },
    run: (ledger) =>
      ledger.notices.apply(
        [missing, held].map((key) => ({ do: 'remind', ...noticeOf(key, { count: 2 }) })),
        later,
      ),
  },
  {
    ...{ name: 'notices.apply', variant: 'recover' },
    run: (ledger) =>
      ledger.notices.apply(
        [missing, held].map((key) => ({ do: 'recover', always: false, ...noticeOf(key) })),
        later,
      ),
  },
  {
    ...{ name: 'notices.apply', variant: 'restate' },
    run: (ledger) =>
      ledger.notices.apply(
        [missing, held].map((key) => ({ do: 'restate', key, facts: { count: 3 } })),
        later,
      ),
  },
  {
    ...{ name: 'notices.apply', variant: 'withdraw' },
    run: (ledger) =>
      ledger.notices.apply(
        [held, missing].map((key) => ({ do: 'withdraw', ...noticeOf(key) })),
        later,
      ),
  },
  {
    ...{ name: 'notices.apply', variant: 'last summary' },
    run: (ledger, { runs }) => {
      const facts = { about: 'summary', run: runs.settled }
      return ledger.notices.apply(
        [{ do: 'recover', always: true, ...noticeOf(`summary ${runs.settled}`, facts) }],
        later,
      )
    },
  },
  {
    ...{ name: 'notices.apply', variant: 'refused list' },
    run: (ledger, { runs: { completions: run } }) => {
      const facts = { about: 'refusal', run, source: 'list.csv', sentence: 'No.' }
      return ledger.notices.apply([{ ...opening(`refused ${run}`, facts), do: 'note', run }], later)
    },
  },
  {
    name: 'notices.makeMessage',
    run: async (ledger) => {
      const changes = await ledger.notices.changesFor('ops')
      const ids = changes.map(({ id }) => id)
      await ledger.notices.makeMessage('ops', ids.reverse(), { subject: 'more words' }, later)
    },
  },
  { name: 'notices.noteDelivered', run: (ledger, { message }) => ledger.notices.noteDelivered(message, later) },
  {
    ...{ name: 'notices.noteDelivered', variant: 'in part' },
    run: (ledger, { message }) => ledger.notices.noteDelivered(message, later, '1 of 2 addresses refused'),
  },
  {
    name: 'notices.noteUndelivered',
    run: (ledger, { message }) => ledger.notices.noteUndelivered(message, 'No answer.', later, noticedAt(3_001)),
  },
  {
    name: 'notices.noteRefused',
    run: (ledger, { message }) => ledger.notices.noteRefused(message, 'Too long.', later),
  },
  {
    name: 'notices.forgetOtherRecipients',
    run: (ledger) => ledger.notices.forgetOtherRecipients(['ops'], later),
  },
  { name: 'notices.markPastChanges', run: (ledger) => ledger.notices.markPastChanges() },
  { name: 'notices.prune', run: (ledger) => ledger.notices.prune(later) },
  { name: 'notices.watchedSince', run: (ledger) => ledger.notices.watchedSince('list spring', 'by seven', later) },
]

export const nonSendingVerbs: readonly Verb[] = [
  intakeVerbs,
  deliveryVerbs,
  inboxAndSystemVerbs,
  watchVerbs,
  completionVerbs,
  noticeVerbs,
].flat()
