// Lists and calls: what intake, the sweep and the issue job do.

import type { AnsweredCall } from '#src/reconcile/after-sending.ts'
import { decide, inState } from '#src/reconcile/decide.ts'
import { aBadRow, aPolicy, aStagedRow } from '#test/support/build.ts'
import type { Command } from './commands.ts'
import { byTerm, recipientOf } from './people.ts'
import { attemptAt, attemptOf, brakedAt, courseAt, instanceAt, pipelineAt } from './places.ts'
import type { Side } from './side.ts'

type Of<Name extends Command['do']> = Extract<Command, { do: Name }>

function sourceOf(file: number, pipeline: number) {
  const sourceName = `list-${file}.csv`
  return { pipeline: pipelineAt(pipeline), sourceName, sourcePath: `/inbox/${sourceName}`, sourceSha256: `sha-${file}` }
}

async function receiveRun(side: Side, file: number, pipeline: number) {
  const { run, resumed } = await side.ledger.receiveRun(sourceOf(file, pipeline))
  if (!side.runs.includes(run.id)) side.runs.push(run.id)
  return { run, resumed }
}

/** A list as intake publishes it; `short` claims to have read one row more than was staged. */
export async function handOver(side: Side, { file, people, course, pipeline, bad, short, brake }: Of<'hand over'>) {
  const { ledger } = side
  const { run, resumed } = await receiveRun(side, file, pipeline)
  await ledger.clearStaged(run.id)
  const courseUuid = courseAt(course)
  const rule = { course: courseUuid, rule: byTerm }
  const rows = people.map((each, index) => aStagedRow(index + 2, recipientOf(each), ledger.hasher, rule))
  if (bad) rows.push(aBadRow(rows.length + 2))
  const good = rows.flatMap(({ issuanceKey, recipient }) =>
    issuanceKey && recipient ? [{ issuanceKey, recipient }] : [],
  )
  const known = await ledger.compareRows(courseUuid, good)
  await ledger.stageRows(run.id, rows)
  const primaryVaries = { occurrence: byTerm.occurrence }
  const of = { courseUuid, format: 'csv', header: ['e_mail'], notices: ['a notice'], primaryVaries }
  const publication = { ...of, ...(brake && { brake }) }
  const published = await ledger.publishRun(run.id, publication, rows.length + (short ? 1 : 0))
  return { resumed, known, published, path: run.sourcePath }
}

/** As the commands approve and reject do. */
export async function decideBraked(side: Side, { which, answer }: Of<'decide'>) {
  const id = brakedAt(side, which)
  const decision = { by: 'ada', why: which % 2 === 0 ? '' : 'she looked' }
  return answer === 'approve' ? side.ledger.approveRun(id, decision) : side.ledger.rejectRun(id, decision)
}

export async function receive(side: Side, { file, refuse }: Of<'receive'>) {
  const { run, resumed } = await receiveRun(side, file, 0)
  if (refuse) await side.ledger.refuseRun(run.id, 'it is no table')
  return { resumed, state: run.state }
}

export function passDoor(side: Side, attemptId: number, instance: number): Promise<boolean> {
  const door = { attemptId, instance: instanceAt(instance), requestSha256: 'sha', deadlineMs: 90_000 }
  return side.ledger.passDoor(door)
}

export async function send(side: Side, { pipeline, size, instance }: Of<'send'>) {
  const attemptId = await side.ledger.prepareAttempt(pipelineAt(pipeline), size)
  if (attemptId === null) return null
  const batch = await side.ledger.loadBatch(attemptId)
  return {
    emails: batch?.recipients.map((each) => `${each.Email} ${each.Term}`),
    course: batch?.courseUuid,
    lastCall: batch?.lastCallAt?.getTime() ?? null,
    passed: await passDoor(side, attemptId, instance),
  }
}

/** As the issue job ends a call. A late answer comes for any attempt, ended or not. */
export async function end(side: Side, { which, late, answer, thenPause }: Of<'end'>) {
  const { ledger, clock } = side
  const { id: attemptId, size, course } = attemptOf(side, which, late ? undefined : 'sending')
  const { class: outcome, status, retryAfterMs, authRefused, trouble } = answer
  const call: AnsweredCall = {
    ...{ class: outcome, status, retryAfterMs, authRefused },
    words: 'words',
    courseTrouble: trouble ? 'the course has no credits' : null,
  }
  const disposal = decide(inState('sending'), { kind: 'answer', answer: call, size }, clock.now(), aPolicy())
  const moved = await ledger.endAttempt(attemptId, { ...call, code: null }, disposal)
  const troubled = outcome === 'unknown' || outcome === 'refused'
  if (!troubled || !thenPause) return { moved }
  return { moved, paused: await ledger.pauseAfterTrouble(course, 60_000) }
}

/** Steps that nobody decided: most are outside the lifecycle, and then nothing may have changed. */
export function endOddly(side: Side, { which, to }: Of<'end oddly'>) {
  const steps = to.map((state) => ({ to: state, event: 'oddly', reason: 'oddly' }))
  const odd = { class: 'unknown' as const, status: 500, code: 'ODD', words: 'oddly' }
  return side.ledger.endAttempt(attemptAt(side, which, 'sending'), odd, { steps, waitMs: 1_000, batchLimit: 2 })
}
