// Issue: a batch becomes one call. `sending` is committed before anything leaves, and the call is made once.

import { done, snooze, type Verdict } from '#src/queue/verdict.ts'
import { decide, inState } from '#src/reconcile/decide.ts'
import { scanReport } from '#src/reconcile/scan-report.ts'
import { prepareBatch } from '#src/upload/prepare-batch.ts'
import { keepWriting } from './keep-writing.ts'
import { prepareBatches } from './sweep.ts'
import type { Tools } from './tools.ts'

/** A batch that was held up between door and call goes stale: by then another worker may have taken it for lost. */
const doorFreshMs = 5_000
/** A pipeline does not come back by itself; `check` names it. Where several share the work, another one has it. */
const [strandedMs, elsewhereMs] = [60_000, 2_000]
const pauseNotReadyMs = 5 * 60_000
const pauseKeysMs = 60_000
const keysRefused = 'the service refuses our keys (401); check CREDSYNC_KEY and CREDSYNC_SECRET'

export async function issue(tools: Tools, { attemptId }: { attemptId: number }, signal: AbortSignal): Promise<Verdict> {
  const { ledger, issuer, courses, tuning, clock, log } = tools
  const batch = await ledger.loadBatch(attemptId)
  if (!batch) return done()
  const pipeline = tools.pipelines.find(batch.pipeline)
  if (!pipeline) {
    const why = `the configuration no longer has the pipeline ${batch.pipeline}; bring it back under the same name`
    if (!tools.exclusive) log.event('attempt.elsewhere', { attempt: attemptId, pipeline: batch.pipeline })
    await ledger.dropAttempt(attemptId, why, tools.exclusive ? strandedMs : elsewhereMs)
    return done()
  }

  const whyNot = await courses.whyNotReady(batch.courseUuid)
  if (whyNot) return giveBack(tools, attemptId, batch.courseUuid, whyNot)
  await takeBaseline(tools, batch.lastCallAt)

  const made = await prepareBatch(tools, pipeline, batch)
  if ('whyNot' in made) {
    if (made.waits === 'course') return giveBack(tools, attemptId, batch.courseUuid, made.whyNot)
    await ledger.dropAttempt(attemptId, made.whyNot, strandedMs)
    return done()
  }
  const { prepared, imageBytes } = made
  // A token first: what stands in the way of one must not find rows behind the door.
  await issuer.checkToken()
  if (signal.aborted) return snooze(1_000, 'the worker is stopping')
  const door = { attemptId, instance: tools.instance, requestSha256: prepared.sha256, deadlineMs: tuning.deadlineMs }
  // Before the door and not after it: a process may be frozen in the very moment in which it passes.
  const atDoor = clock.monotonicMs()
  if (!(await ledger.passDoor(door))) return done()

  const mayStillSend = () => clock.monotonicMs() - atDoor < doorFreshMs
  const outcome = await issuer.invite(prepared, { deadlineMs: tuning.deadlineMs, mayWaitMs: doorFreshMs, mayStillSend })
  // Refused keys (401) say nothing about the course, and could not ask for it either.
  const refused = outcome.class === 'refused' && !outcome.authRefused
  const courseTrouble = refused ? await courses.whyNotReady(batch.courseUuid, { now: true }).catch(() => null) : null
  const news = { kind: 'answer' as const, answer: { ...outcome, courseTrouble, imageBytes }, size: prepared.students }
  const disposal = decide(inState('sending'), news, clock.now(), tuning.policy)
  await keepWriting(tools, atDoor, () => ledger.endAttempt(attemptId, outcome, disposal))
  if (outcome.authRefused) await ledger.pauseCourse(batch.courseUuid, keysRefused, pauseKeysMs)

  const troubled = outcome.class === 'unknown' || outcome.class === 'refused'
  if (troubled && (await ledger.pauseAfterTrouble(batch.courseUuid, tuning.pauseMs)))
    log.event('course.paused', { course: batch.courseUuid, reason: 'two calls in a row failed' })
  const { class: result, status, code } = outcome
  log.event('attempt.sent', {
    attempt: attemptId,
    pipeline: batch.pipeline,
    course: batch.courseUuid,
    size: prepared.students,
    outcome: result,
    status,
    code,
    ms: Math.round(clock.monotonicMs() - atDoor),
  })
  await ledger.hurryPoller(tuning.cadence.everyMs)
  await prepareBatches(tools)
  return done()
}

async function giveBack({ ledger, log }: Tools, attemptId: number, course: string, why: string): Promise<Verdict> {
  await ledger.pauseCourse(course, why, pauseNotReadyMs)
  await ledger.dropAttempt(attemptId, why, 0)
  log.event('course.paused', { course, attempt: attemptId, reason: why })
  return done()
}

/**
 * Nothing is sent before the ledger knows what the report held without it; one reading serves every batch of the next minutes. Rows that
 * go out again need one made since their last call: what that left in the report is found there, and the batch is dropped.
 */
async function takeBaseline(tools: Tools, lastCallAt: Date | null): Promise<void> {
  const { ledger, tuning } = tools
  const isFresh = () => ledger.baselineIsFresh(tuning.baselineAgeMs, lastCallAt)
  if (await isFresh()) return
  await ledger.withLock('scan', async () => {
    if (await isFresh()) return
    const scan = await scanReport({ ...tools, ...tuning }, await ledger.baselineSince())
    if (!scan.complete) throw new BaselineError()
  })
}

export class BaselineError extends Error {
  override readonly name = 'BaselineError'
  constructor() {
    super(
      'The credential report could not be read to its end, so nothing is sent: what it shows later could not be told from what was there before.',
    )
  }
}
