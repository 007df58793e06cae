// Issue: reads the report, sends one batch in one call, once, and pauses the course if further calls would fail as
// well. The state `sending` is committed to the ledger before the call is made.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import { prepareBatches } from '#jobs/worker/prepare-batches.ts'
import type { Outcome } from '#src/issuer/sending/outcome.ts'
import { decide, inState } from '#src/issuing/reconcile/decide-row.ts'
import { scanReport } from '#src/issuing/reconcile/scan-report.ts'
import { prepareBatch } from '#src/issuing/upload/prepare-batch.ts'
import type { Batch } from '#src/ledger/attempts/attempts.ts'
import type { Place } from '#src/platform/limits/call-places.ts'
import { done, snooze, type Verdict } from '#src/platform/queue/verdict.ts'
import type { Tools } from './job-tools.ts'
import { sendOnce } from './send-once.ts'

/**
 * How long a batch waits if it cannot be prepared, or if this is the only worker and its configuration lacks the
 * pipeline (`check` reports that); and how long if another worker may have the pipeline.
 */
const [strandedMs, elsewhereMs] = [60_000, 2_000]
const pauseNotReadyMs = 5 * 60_000

export async function issue(tools: Tools, { attemptId }: { attemptId: number }, signal: AbortSignal): Promise<Verdict> {
  const verdict = await tools.senders.places.run((place) => issueInPlace(tools, attemptId, { place, signal }))
  if (verdict) return verdict
  await prepareBatches(tools)
  return done()
}

interface Conditions {
  place: Place
  signal: AbortSignal
}

/** @returns null if the batch was sent */
async function issueInPlace(tools: Tools, attemptId: number, conditions: Conditions): Promise<Verdict | null> {
  const { ledger, courses, senders, log } = tools
  const batch = await ledger.attempts.load(attemptId)
  if (!batch) return done()
  const pipeline = tools.pipelines.find(batch.pipeline)
  if (!pipeline) {
    const why = `the configuration no longer has the pipeline ${batch.pipeline}; restore it under the same name`
    if (!tools.exclusive) log.event('attempt.elsewhere', { attempt: attemptId, pipeline: batch.pipeline })
    await ledger.attempts.drop(attemptId, why, tools.exclusive ? strandedMs : elsewhereMs)
    return done()
  }

  const whyNot = await courses.whyNotReady(batch.courseUuid)
  if (whyNot) return pauseAndDrop(tools, attemptId, batch.courseUuid, whyNot)
  await takeBaseline(tools, batch.lastCallAt)
  const send = () => sendBatch(tools, { batch, pipeline }, conditions)
  return pipeline.batch.mode === 'upload' ? senders.filesInTurn(send) : send()
}

async function sendBatch(
  tools: Tools,
  { batch, pipeline }: { batch: Batch; pipeline: PipelineSettings },
  { place, signal }: Conditions,
): Promise<Verdict | null> {
  const { ledger, issuer, courses, tuning, clock, log } = tools
  const { attemptId, courseUuid } = batch
  const preparation = await prepareBatch(tools, pipeline, batch)
  if ('whyNot' in preparation) {
    if (preparation.waits === 'course') return pauseAndDrop(tools, attemptId, courseUuid, preparation.whyNot)
    await ledger.attempts.drop(attemptId, preparation.whyNot, strandedMs)
    return done()
  }
  const { prepared, imageBytes } = preparation
  const call = { attemptId, instance: tools.instance, requestSha256: prepared.sha256, deadlineMs: tuning.deadlineMs }
  const sending = await sendOnce(tools, {
    about: { attempt: attemptId, pipeline: batch.pipeline, course: courseUuid, size: prepared.students },
    claim: async () => (signal.aborted ? null : ledger.attempts.claim(call)),
    send: (options) => issuer.invite(prepared, options),
    decideOutcome: async (outcome) => {
      if (outcome.class === 'unknown') place.noteUnknown()
      const courseTrouble =
        outcome.class === 'refused' ? await courses.whyNotReady(courseUuid, { now: true }).catch(() => null) : null
      const answer = { ...outcome, courseTrouble, imageBytes }
      const news = { kind: 'answer' as const, answer, size: prepared.students }
      return decide(inState('sending'), news, clock.now(), tuning.policy)
    },
    writeOutcome: (outcome, disposal, claim) => ledger.attempts.end({ attemptId, claim }, outcome, disposal),
  })
  if (!sending) return signal.aborted ? snooze(1_000, 'the worker is stopping') : done()
  if (sending.outcome.class === 'accepted') place.noteAnswer(sending.times)
  await pauseAfterCall(tools, courseUuid, sending.outcome)
  log.event('attempt.sent', { ...sending.fields, ms: sending.ms })
  await ledger.poller.hurry(tuning.cadence.everyMs)
  return null
}

/** Pauses the course, and makes the rows of the batch pending again. */
async function pauseAndDrop({ ledger, log }: Tools, attemptId: number, course: string, why: string): Promise<Verdict> {
  await ledger.courses.pause(course, why, pauseNotReadyMs)
  await ledger.attempts.drop(attemptId, why, 0)
  log.event('course.paused', { course, attempt: attemptId, reason: why })
  return done()
}

const keysRefusedMs = 60_000
const keysRefused = 'the service refuses our keys (status 401); check CREDSYNC_KEY and CREDSYNC_SECRET'

/**
 * Pauses the course if the keys were refused, or after repeated calls that were refused or have no known outcome,
 * because further calls would fail as well.
 */
async function pauseAfterCall({ ledger, log, tuning }: Tools, course: string, outcome: Outcome): Promise<void> {
  if (outcome.class === 'unauthorised') {
    await ledger.courses.pause(course, keysRefused, keysRefusedMs)
    log.event('course.paused', { course, reason: keysRefused, ms: keysRefusedMs })
  }
  if (outcome.class !== 'unknown' && outcome.class !== 'refused') return
  const ms = await ledger.courses.pauseAfterTrouble(course, tuning.breaker)
  if (ms !== null) log.event('course.paused', { course, reason: 'calls in a row failed', ms })
}

/**
 * Makes sure that the ledger has recorded what the report showed before this call. One scan is valid for every batch
 * in the next few minutes. Rows that are sent again need a scan that began after their last call: if that call left
 * items in the report, the scan finds them and the batch is dropped.
 */
export async function takeBaseline(tools: Tools, lastCallAt: Date | null): Promise<void> {
  const { ledger, tuning, senders } = tools
  const isFresh = () => ledger.scans.baselineIsFresh(tuning.baselineAgeMs, lastCallAt)
  if (await isFresh()) return
  await senders.baselineInTurn(async () => {
    if (await isFresh()) return
    await ledger.locks.withLock('scan', async () => {
      if (await isFresh()) return
      const scan = await scanReport({ ...tools, ...tuning }, await ledger.scans.baselineSince())
      if (!scan.complete) throw new BaselineError()
    })
  })
}

/** Thrown if the report could not be read completely before a call. */
export class BaselineError extends Error {
  override readonly name = 'BaselineError'
  constructor() {
    super(
      'The credential report could not be read completely, so nothing is sent: the items of the new call could not be told apart from earlier items.',
    )
  }
}
