// Verbs of the ledger on everything that is not theirs: attempts in another phase, runs and rows in another state. Most
// of them must change nothing.

import type { WholeLedger } from '#src/app/whole-ledger.ts'
import { afterSending } from '#src/issuing/reconcile/decide-after-sending.ts'
import {
  adoption,
  correctionOf,
  decision,
  instance,
  keyOf,
  movesOf,
  nothingNew,
  publication,
  type Scene,
} from '#test/guarantees/interleavings/scene.ts'
import { target } from '#test/guarantees/interleavings/scene-additions.ts'
import { idsOfPeople, type Verb } from '#test/guarantees/interleavings/verb.ts'
import { aCourse, aRecipient, aStagedRow } from '#test/support/domain-objects.ts'

export const everyone = Array.from({ length: 60 }, (_, index) => index + 1)

type OnEach<Each> = (ledger: WholeLedger, each: Each, scene: Scene) => Promise<unknown>

/** A verb on one thing after the other; each may be refused. */
function onEach<Each>(
  name: string,
  things: (scene: Scene) => Readonly<Record<string, Each>>,
  run: OnEach<Each>,
  variant = 'of all',
): Verb {
  return {
    ...{ name, variant },
    async run(ledger, scene) {
      const answers: Record<string, unknown> = {}
      for (const [what, each] of Object.entries(things(scene)))
        answers[what] = await run(ledger, each, scene).catch((error: Error) => `refused: ${error.message}`)
      return answers
    },
  }
}

const attemptsOf = ({ attempts }: Scene) => attempts
const runsOf = ({ runs }: Scene) => runs
const revocationsOf = ({ revocations }: Scene) => revocations
const rowsOf = (scene: Scene) => Object.fromEntries(everyone.map((person) => [person, scene.ids.get(person) ?? 0]))

const people = () => Object.fromEntries(everyone.map((person) => [person, person]))

const unknownEnd = { class: 'unknown', status: null, code: null, words: 'words', retryAfterMs: null } as const
const deadlineMs = 3_600_000

const ofAttempts: Verb[] = [
  onEach('attempts.claim', attemptsOf, (ledger, attemptId) =>
    ledger.attempts.claim({ attemptId, instance, requestSha256: 'sha', deadlineMs }),
  ),
  onEach('attempts.drop', attemptsOf, (ledger, id) => ledger.attempts.drop(id, 'because', 60_000)),
  onEach('attempts.end', attemptsOf, (ledger, attemptId, { sendingClaims }) =>
    ledger.attempts.end({ attemptId, claim: sendingClaims.sending }, unknownEnd, afterSending(unknownEnd, 2)),
  ),
  {
    ...{ name: 'attempts.claim', variant: 'of a batch that has lost a row' },
    async run(ledger, scene) {
      await ledger.decisions.correct(scene.ids.get(15) ?? 0, correctionOf({ ledger }, 15), decision).catch(() => null)
      await ledger.report.apply({ ...nothingNew, moves: movesOf(scene.ids, [[14, 'pending', 'unconfirmed']]) })
      const attemptId = scene.attempts.prepared
      return ledger.attempts.claim({ attemptId, instance, requestSha256: 'sha', deadlineMs })
    },
  },
  {
    ...{ name: 'attempts.prepare', variant: 'of a paused course' },
    async run(ledger) {
      await ledger.courses.pause(aCourse, 'not ready', 60_000)
      return [await ledger.attempts.prepare('spring', 9), await ledger.work.pipelinesWithDueRows()]
    },
  },
  {
    ...{ name: 'attempts.prepare', variant: 'until nothing is due' },
    async run(ledger) {
      const prepared: number[][] = []
      do prepared.push(await ledger.attempts.prepare('spring', 3, { batches: 2 }))
      while (prepared.at(-1)?.length)
      return prepared
    },
  },
  { name: 'attempts.prepare', variant: 'autumn', run: (ledger) => ledger.attempts.prepare('autumn', 99) },
  {
    ...{ name: 'courses.pauseAfterTrouble', variant: 'again' },
    async run(ledger) {
      const answers: unknown[] = []
      for (let time = 0; time < 3; time++)
        answers.push(await ledger.courses.pauseAfterTrouble(aCourse, { firstMs: 60_000, maxMs: 100_000 }))
      return [...answers, await ledger.courses.pauses()]
    },
  },
]

const ofRuns: Verb[] = [
  onEach('runs.noteUnreadable', runsOf, async (ledger, run) => typeof (await ledger.runs.noteUnreadable(run))),
  onEach('runs.noteReadable', runsOf, (ledger, run) => ledger.runs.noteReadable(run)),
  onEach('runs.refuse', runsOf, (ledger, run) => ledger.runs.refuse(run, 'No.')),
  onEach('intake.clear', runsOf, (ledger, run) => ledger.intake.clear(run)),
  onEach('intake.stage', runsOf, (ledger, run) =>
    ledger.intake.stage(run, [aStagedRow(99, aRecipient(59), ledger.hasher)]),
  ),
  onEach('intake.publish', runsOf, (ledger, run) => ledger.intake.publish(run, publication, 5)),
  onEach('brake.approve', runsOf, (ledger, run) => ledger.brake.approve(run, decision)),
  onEach('brake.reject', runsOf, (ledger, run) => ledger.brake.reject(run, decision)),
  onEach('writeBacks.want', runsOf, (ledger, run) => ledger.writeBacks.want(run)),
  onEach('writeBacks.noteReported', runsOf, (ledger, run) => ledger.writeBacks.noteReported(run, 1)),
  onEach('deliveries.request', runsOf, (ledger, run) => ledger.deliveries.request(run, [{ ...target, name: 'hooks' }])),
  onEach('firstList.noteWaiting', runsOf, (ledger, run) => ledger.firstList.noteWaiting(run, 'No answer.')),
  onEach('inboxes.noteFiled', runsOf, (ledger, run) => ledger.inboxes.noteFiled(run, '/in/done/a.csv')),
  onEach('decisions.retry', runsOf, (ledger, run) => ledger.decisions.retry({ run }, decision), 'of all runs'),
]

const ofRevocations: Verb[] = [
  onEach('revocations.claim', revocationsOf, (ledger, id) => ledger.revocations.claim(id, deadlineMs)),
  onEach('revocations.end', revocationsOf, (ledger, id, { sendingClaims }) =>
    ledger.revocations.end({ id, claim: sendingClaims.revocation }, unknownEnd, {
      state: 'unconfirmed',
      waitMs: 60_000,
    }),
  ),
  onEach('revocations.noteCheck', revocationsOf, (ledger, id) =>
    ledger.revocations.noteCheck(id, { to: 'seen', doubt: null, waitMs: 60_000 }),
  ),
  onEach('revocations.postpone', revocationsOf, (ledger, id) => ledger.revocations.postpone(id, 60_000)),
  onEach('revocations.carryOut', revocationsOf, (ledger, id) => ledger.revocations.carryOut(id)),
  onEach('revocations.request', rowsOf, (ledger, issuanceId) =>
    ledger.revocations.request({ credentialId: `any-${issuanceId}`, issuanceId, decision, correction: null }),
  ),
]

const ofRows: Verb[] = [
  onEach('decisions.resolve', rowsOf, (ledger, id) => ledger.decisions.resolve([id], 'not sent', decision)),
  onEach('decisions.resolve', rowsOf, (ledger, id) => ledger.decisions.resolve([id], 'sent', decision), 'of all: sent'),
  onEach('decisions.retry', rowsOf, (ledger, id) => ledger.decisions.retry({ ids: [id] }, decision)),
  {
    ...{ name: 'decisions.resolve', variant: 'as they were seen' },
    async run(ledger) {
      const held = await ledger.decisions.heldRows()
      const seen = new Map(held.map(({ id, since }, at) => [id, at === 0 ? new Date(0) : since]))
      return ledger.decisions.resolve(
        held.map(({ id }) => id),
        'not sent',
        decision,
        seen,
      )
    },
  },
  {
    ...{ name: 'decisions.retry', variant: 'as they were seen' },
    async run(ledger, { runs }) {
      const { rows, until } = await ledger.decisions.retriable(runs.settled, 9)
      const ids = rows.map(({ id }) => id)
      const unseen = new Map(ids.map((id) => [id, new Date(0)]))
      return [
        await ledger.decisions.retry({ ids }, decision, unseen),
        await ledger.decisions.retry({ run: runs.settled, until: new Date(0) }, decision),
        await ledger.decisions.retry({ run: runs.settled, until: until ?? new Date(0) }, decision),
      ]
    },
  },
  onEach('decisions.correct', people, (ledger, person, { ids }) =>
    ledger.decisions.correct(ids.get(person) ?? 0, correctionOf({ ledger }, person), decision),
  ),
  {
    ...{ name: 'absence.noteLooks', variant: 'of all' },
    run: (ledger, scene) =>
      ledger.absence.noteLooks(idsOfPeople(scene, ...everyone), scene.scan, { controlShown: true, lastLookAt: null }),
  },
  {
    ...{ name: 'absence.sendAgain', variant: 'of all' },
    run: (ledger, scene) =>
      ledger.absence.sendAgain(idsOfPeople(scene, ...everyone), { batchCap: 1, countsAsResend: true }, scene.scan),
  },
  {
    ...{ name: 'absence.hold', variant: 'of all' },
    run: (ledger, scene) => ledger.absence.hold(idsOfPeople(scene, ...everyone), 'no one can say', scene.scan),
  },
  {
    ...{ name: 'absence.hold', variant: 'by an old scan' },
    run: (ledger, scene) =>
      ledger.absence.hold(idsOfPeople(scene, ...everyone), 'no one can say', { startedAt: new Date('2026-01-01') }),
  },
  {
    ...{ name: 'archives.noteKept', variant: 'of all, twice' },
    async run(ledger, scene) {
      const file = { folder: '/archive', file: 'a.pdf', sha256: 'aa', size: 1, contentType: 'application/pdf' }
      for (const time of ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'])
        await ledger.archives.noteKept('spring', idsOfPeople(scene, ...everyone), { ...file, fetchedAt: time })
    },
  },
  {
    ...{ name: 'archives.noteFailure', variant: 'of all, twice' },
    async run(ledger, scene) {
      for (const words of ['No.', 'Still no.'])
        await ledger.archives.noteFailure(idsOfPeople(scene, ...everyone), words, 60_000)
    },
  },
  {
    ...{ name: 'watching.noteSeen', variant: 'of all' },
    run: (ledger) => ledger.watching.noteSeen(everyone.map(keyOf), { position: 500, pageRecords: 500 }),
  },
  {
    ...{ name: 'watching.noteLooked', variant: 'of all: missing' },
    run: (ledger, scene) => ledger.watching.noteLooked(idsOfPeople(scene, ...everyone), true),
  },
  {
    ...{ name: 'adoptions.finish', variant: 'of another pipeline' },
    run: (ledger) => ledger.adoptions.finish({ pipeline: 'winter', course: adoption.course }, []),
  },
]

/** Takes work twice: what is taken is not due again at once. */
const twice = (name: string, take: (ledger: WholeLedger) => Promise<unknown>): Verb => ({
  ...{ name, variant: 'twice' },
  run: async (ledger) => [await take(ledger), await take(ledger)],
})

const ofWork: Verb[] = [
  twice('work.takeRunsToRead', (ledger) => ledger.work.takeRunsToRead()),
  twice('work.takeAttemptsToSend', (ledger) => ledger.work.takeAttemptsToSend()),
  twice('work.takePoll', (ledger) => ledger.work.takePoll()),
  twice('work.takeWriteBacks', (ledger) => ledger.work.takeWriteBacks()),
  twice('revocations.take', (ledger) => ledger.revocations.take()),
  twice('archives.take', (ledger) => ledger.archives.take()),
  twice('watching.take', (ledger) => ledger.watching.take()),
  twice('drift.take', (ledger) => ledger.drift.take()),
  twice('learningSystems.take', (ledger) => ledger.learningSystems.take()),
  twice('inboxes.take', (ledger) => ledger.inboxes.take('spring')),
  twice('completions.takeToCompare', (ledger) => ledger.completions.takeToCompare()),
  twice('runs.settle', (ledger) => ledger.runs.settle()),
  twice('sendingStops.trust', (ledger) => ledger.sendingStops.trust(decision)),
  twice('attempts.markLost', (ledger) => ledger.attempts.markLost(instance)),
  twice('revocations.markLost', (ledger) => ledger.revocations.markLost()),
]

export const verbsOutOfPlace: readonly Verb[] = [ofAttempts, ofRuns, ofRevocations, ofRows, ofWork].flat()
