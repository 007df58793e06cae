// One outcome told to one target: written, and read back where the target shows what it has.

import type { WriteBackSettings } from '#config/system-settings.ts'
import { nextTry, type WebhookAnswer, webhookTimeoutMs } from '#src/events/next-try.ts'
import { outgoingEvent } from '#src/events/outgoing-event.ts'
import { signStandardWebhook } from '#src/events/sign-standard-webhook.ts'
import type { DueTell, HeardOf, TellOutcome } from '#src/ledger/tells.ts'
import { scoreOf } from '#src/lti/score.ts'
import type { Written } from '#src/moodle/written.ts'
import { nextDelay } from '#src/retry/backoff.ts'
import { Secret } from '#src/secret/secret.ts'
import type { Clock } from '#src/time/clock.ts'
import type { Learning } from './open-learning.ts'
import { troubleOf } from './system-trouble.ts'
import { commentOf, type Said, saidOf } from './words-for-target.ts'

export interface Telling {
  learning: Learning
  send: (ask: {
    method: 'POST'
    url: string
    headers: Record<string, string>
    body: string
    deadlineMs: number
  }) => Promise<
    { kind: 'answer'; status: number; headers: Readonly<Record<string, string>> } | { kind: 'failed'; code: string }
  >
  clock: Clock
  environment: 'development' | 'production'
}

const again = { baseMs: 30_000, capMs: 6 * 3_600_000 }
/** However long a target asks to be left alone: it may mean seconds by what is a date, and nobody would hear of it for years. */
const longestMs = 24 * 3_600_000
/** What a person has to mend first is looked at again every so often: nobody tells us when it was. */
const refusedMs = 30 * 60_000

/** Never throws for what the target does. */
export async function tellTarget(of: Telling, settings: WriteBackSettings, due: DueTell): Promise<TellOutcome> {
  try {
    if (settings.to === 'webhook') return await tellWebhook(of, settings, due)
    if (due.heard === null)
      return { kind: 'failed', problem: 'A file brought this credential, and nothing says who its learner is there.' }
    if (settings.to === 'lti') return await tellPlatform(of, settings, due, due.heard)
    if (settings.to === 'canvas-columns') return await writeToCanvas(of.learning, settings, due, due.heard)
    return outcomeOf(await writeToMoodle(of.learning, settings, due, due.heard))
  } catch (error) {
    const trouble = troubleOf(error)
    if (!trouble) throw error
    const { kind, sentence: problem, retryAfterMs } = trouble
    if (kind === 'record') return { kind: 'failed', problem }
    return { kind: 'later', problem, waitMs: kind === 'away' ? awayFor(due, retryAfterMs) : refusedMs }
  }
}

/** Null where there is nothing to write. */
async function writeToMoodle(
  learning: Learning,
  settings: Extract<WriteBackSettings, { to: `moodle-${string}` }>,
  due: DueTell,
  { learner, course: code }: HeardOf,
): Promise<Written | null> {
  const { moodle } = learning.moodle(settings.system)
  const userId = Number(learner)
  if (settings.to === 'moodle-profile') return moodle.writeProfile(userId, wordsFor(settings.fields, due))
  const comment = commentOf(due)
  const course = comment && (await moodle.courseByIdnumber(code))
  if (!comment || !course) return null
  return moodle.writeAssignment({
    courseId: course.id,
    assignment: { cmIdnumber: settings.assignment },
    userId,
    grade: settings.grade,
    comment,
  })
}

/** Place → what is to stand there. */
function wordsFor(places: Readonly<Record<string, Said>>, due: DueTell): Record<string, string> {
  return Object.fromEntries(Object.entries(places).map(([place, what]) => [place, saidOf(due, what)]))
}

async function writeToCanvas(
  learning: Learning,
  { system, columns }: Extract<WriteBackSettings, { to: 'canvas-columns' }>,
  due: DueTell,
  { learner, course }: HeardOf,
): Promise<TellOutcome> {
  const cells = wordsFor(columns, due)
  const written = await learning.canvas(system).writeColumns({ course, learnerId: learner, cells })
  if (written.kind === 'verified') return { kind: 'verified' }
  return {
    kind: 'failed',
    problem: `Canvas said yes and shows something else in ${written.titles.join(', ')}: an entry has room for 255 characters. Mend it in Canvas or in writeBack.`,
  }
}

function outcomeOf(written: Written | null): TellOutcome {
  if (written === null) return { kind: 'written' }
  if (written.kind === 'verified') return { kind: 'verified' }
  const problem =
    written.kind === 'differs'
      ? `Moodle said yes and shows something else in ${written.fields.join(', ')}: a field of that name is missing, too short, or no text input. Mend it in Moodle or in writeBack.`
      : `Moodle would not write to this learner (${written.warningcode}).`
  return { kind: 'failed', problem }
}

async function tellPlatform(
  { learning }: Telling,
  { system, lineItem, score }: Extract<WriteBackSettings, { to: 'lti' }>,
  due: DueTell,
  { learner }: HeardOf,
): Promise<TellOutcome> {
  const { wanted, credentialId } = due
  if (credentialId === null || (wanted !== 'issued' && wanted !== 'revoked')) return { kind: 'written' }
  const told = scoreOf(
    {
      kind: wanted,
      userId: learner,
      credentialId,
      link: wanted === 'issued' ? due.verifierLink : null,
      at: due.since,
    },
    { scoreMaximum: score, onRevocation: 'keep' },
  )
  const written = await learning.platform(system).score(lineItem, told)
  switch (written.kind) {
    case 'verified':
    case 'written':
      return { kind: written.kind }
    case 'record':
      return { kind: 'failed', problem: written.why }
    case 'refused':
      return { kind: 'later', problem: written.why, waitMs: refusedMs }
    case 'later':
      return { kind: 'later', problem: written.why, waitMs: awayFor(due, written.afterMs ?? null) }
  }
}

const awayFor = ({ tries }: DueTell, askedMs: number | null) =>
  Math.max(nextDelay(tries + 1, again), Math.min(askedMs ?? 0, longestMs))

async function tellWebhook(
  { send, clock, environment }: Telling,
  { url, secret }: Extract<WriteBackSettings, { to: 'webhook' }>,
  due: DueTell,
): Promise<TellOutcome> {
  const body = JSON.stringify(eventOf(due, environment))
  // The same for every try of one event, and another when the credential's state is another.
  const id = `credsync_${due.issuanceId}_${due.wanted}_${due.since.getTime()}`
  const signed = signStandardWebhook({ id, at: clock.now(), body, secret: new Secret(secret) })
  const headers = { 'content-type': 'application/json', 'user-agent': 'credsync', ...signed }
  const heard = await send({ method: 'POST', url, headers, body, deadlineMs: webhookTimeoutMs })
  const answer: WebhookAnswer =
    heard.kind === 'answer' ? { status: heard.status, retryAfter: heard.headers['retry-after'] ?? null } : null
  const seen = heard.kind === 'answer' ? `HTTP ${heard.status}` : heard.code
  const next = nextTry(due.tries + 1, answer, clock.now())
  if (next.do === 'done') return { kind: 'verified' }
  const host = new URL(url).host
  if (next.do === 'stop' && next.why === 'gone')
    return {
      kind: 'failed',
      gone: true,
      problem: `${host} says that it takes no events any more (${seen}), and is sent none: have it take them again.`,
    }
  if (next.do === 'stop')
    return { kind: 'failed', problem: `${host} took no event (${seen}, ${next.why}); it is not tried again.` }
  return { kind: 'later', problem: `${host} did not take an event (${seen}); it is tried again.`, waitMs: next.afterMs }
}

function eventOf(due: DueTell, environment: Telling['environment']) {
  const facts = {
    at: due.since,
    environment,
    pipeline: due.pipeline,
    issuance: `i${due.issuanceId}`,
    ...(due.heard && {
      learner: { id: due.heard.learner },
      course: due.heard.course,
      completedAt: due.heard.completedAt,
    }),
  }
  const { wanted, credentialId, verifierLink } = due
  if (wanted === 'issued')
    return outgoingEvent(wanted, {
      ...facts,
      credentialId: credentialId ?? '',
      ...(verifierLink !== null && { link: verifierLink }),
    })
  if (wanted === 'revoked') return outgoingEvent(wanted, { ...facts, credentialId: credentialId ?? '' })
  return outgoingEvent(wanted, { ...facts, reason: { code: wanted, sentence: due.reason ?? '' } })
}
