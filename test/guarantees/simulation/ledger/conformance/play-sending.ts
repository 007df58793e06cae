// Plays lists and calls: what intake, the sweep and the issue job do.

import type { AnsweredCall } from '#src/issuing/reconcile/decide-after-sending.ts'
import { decide, inState } from '#src/issuing/reconcile/decide-row.ts'
import { aBadRow, aPolicy, aRowNotMeant, aStagedRow } from '#test/support/domain-objects.ts'
import type { Command } from './ledger-commands.ts'
import { byTerm, recipientOf } from './people.ts'
import { attemptAt, attemptOf, brakedAt, courseAt, instanceAt, pipelineAt } from './rank-lookup.ts'
import type { Side } from './side.ts'

type CommandOf<Name extends Command['do']> = Extract<Command, { do: Name }>

function sourceOf(file: number, pipeline: number) {
  const sourceName = `list-${file}.csv`
  return { pipeline: pipelineAt(pipeline), sourceName, sourcePath: `/inbox/${sourceName}`, sourceSha256: `sha-${file}` }
}

async function receiveRun(side: Side, file: number, pipeline: number) {
  const { run, resumed } = await side.ledger.runs.receive(sourceOf(file, pipeline))
  if (!side.runs.includes(run.id)) side.runs.push(run.id)
  return { run, resumed }
}

/** A list as intake publishes it; `short` claims that one more row was read than staged. */
export async function handOver(
  side: Side,
  { file, people, course, pipeline, bad, short, brake, shows }: CommandOf<'hand over'>,
) {
  const { ledger } = side
  const { run, resumed } = await receiveRun(side, file, pipeline)
  await ledger.intake.clear(run.id)
  const courseUuid = courseAt(course)
  const rule = { course: courseUuid, rule: byTerm }
  const rows = people.map((person, index) => aStagedRow(index + 2, recipientOf(person), ledger.hasher, rule))
  if (bad) rows.push(aBadRow(rows.length + 2), aRowNotMeant(rows.length + 3))
  const validRows = rows.flatMap(({ issuanceKey, recipient }) =>
    issuanceKey && recipient ? [{ issuanceKey, recipient }] : [],
  )
  const known = await ledger.knownRows.compare(courseUuid, validRows)
  await ledger.intake.stage(run.id, rows)
  const primaryVaries = { occurrence: byTerm.occurrence }
  const details = { courseUuid, format: 'csv', header: ['e_mail'], notices: ['a notice'], primaryVaries }
  const publication = {
    ...details,
    ...(brake && { brake }),
    ...(shows !== null && { firstList: { shows: shows || null } }),
  }
  const published = await ledger.intake.publish(run.id, publication, rows.length + (short ? 1 : 0))
  return { resumed, known, published, path: run.sourcePath }
}

/** As the commands approve and reject do. */
export async function decideBraked(side: Side, { which, answer }: CommandOf<'decide'>) {
  const id = brakedAt(side, which)
  const decision = { by: 'ada', why: which % 2 === 0 ? '' : 'she looked' }
  return answer === 'approve' ? side.ledger.brake.approve(id, decision) : side.ledger.brake.reject(id, decision)
}

export async function receive(side: Side, { file, refuse }: CommandOf<'receive'>) {
  const { run, resumed } = await receiveRun(side, file, 0)
  if (refuse) await side.ledger.runs.refuse(run.id, 'it is no table')
  return { resumed, state: run.state }
}

export async function claimAttempt(side: Side, attemptId: number, instance: number) {
  const request = { attemptId, instance: instanceAt(instance), requestSha256: 'sha', deadlineMs: 90_000 }
  const claim = await side.ledger.attempts.claim(request)
  if (claim) side.sendingClaims.set(attemptId, claim)
  return claim && { era: claim.era, number: claim.number }
}

export async function send(side: Side, { pipeline, size, instance }: CommandOf<'send'>) {
  const [attemptId] = await side.ledger.attempts.prepare(pipelineAt(pipeline), size)
  if (attemptId === undefined) return null
  const batch = await side.ledger.attempts.load(attemptId)
  return {
    emails: batch?.recipients.map((recipient) => `${recipient.Email} ${recipient.Term}`),
    course: batch?.courseUuid,
    lastCall: batch?.lastCallAt?.getTime() ?? null,
    passed: await claimAttempt(side, attemptId, instance),
  }
}

/** Ends a call as the issue job does. A late answer may be for any attempt, ended or not. */
export async function end(side: Side, { which, late, answer, thenPause }: CommandOf<'end'>) {
  const { ledger, clock } = side
  const { id: attemptId, size, course } = attemptOf(side, which, late ? undefined : 'sending')
  const { class: outcome, status, retryAfterMs, trouble } = answer
  const call: AnsweredCall = {
    ...{ class: outcome, status, retryAfterMs },
    words: 'words',
    courseTrouble: trouble ? 'the course has no credits' : null,
  }
  const disposal = decide(inState('sending'), { kind: 'answer', answer: call, size }, clock.now(), aPolicy())
  const claim = side.sendingClaims.get(attemptId)
  // A call that was never claimed has no outcome.
  const moved = claim && (await ledger.attempts.end({ attemptId, claim }, { ...call, code: null }, disposal))
  const hasTrouble = outcome === 'unknown' || outcome === 'refused'
  if (!hasTrouble || !thenPause) return { moved }
  return { moved, paused: await ledger.courses.pauseAfterTrouble(course, { firstMs: 20_000, maxMs: 60_000 }) }
}

/** Arbitrary transitions: most are outside the lifecycle and must then change nothing. */
export async function endOddly(side: Side, { which, to }: CommandOf<'end oddly'>) {
  const steps = to.map((state) => ({ to: state, event: 'oddly', reason: 'oddly' }))
  const odd = { class: 'unknown' as const, status: 500, code: 'ODD', words: 'oddly' }
  const attemptId = attemptAt(side, which, 'sending')
  const claim = side.sendingClaims.get(attemptId)
  return claim && side.ledger.attempts.end({ attemptId, claim }, odd, { steps, waitMs: 1_000, batchLimit: 2 })
}
