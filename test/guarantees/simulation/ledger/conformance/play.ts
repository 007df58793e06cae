// Runs one command on one side and returns the verbs' results, with ranks instead of ids and with refusals.

import type { Command } from './ledger-commands.ts'
import { apply, scan } from './play-report.ts'
import { claimAttempt, decideBraked, end, endOddly, handOver, receive, send } from './play-sending.ts'
import {
  attemptAt,
  attemptRanks,
  courseAt,
  instanceAt,
  issuanceAt,
  issuanceRanks,
  pipelineAt,
  runAt,
} from './rank-lookup.ts'
import { readQueries, takeWork, useWriteBack } from './read-queries.ts'
import type { Side } from './side.ts'

/** @returns the verbs' results; `{ refused }` if one of them threw */
export async function play(side: Side, command: Command): Promise<unknown> {
  try {
    return (await carryOut(side, command)) ?? null
  } catch (error) {
    // A TypeError is a bug of this suite, and both sides would have it.
    if (!(error instanceof Error) || error instanceof TypeError) throw error
    // The database's messages differ from the twin's; the ledger's own messages are the same except for ids.
    const code = (error as { code?: unknown }).code
    // If several rules are broken, PostgreSQL decides which one is reported; class 23 is an integrity constraint.
    return {
      refused:
        (typeof code === 'string' ? code.replace(/^23.*/, '23') : null) ??
        error.message.replace(/[0-9a-f-]{36}|\d+/g, '#'),
    }
  }
}

async function carryOut(side: Side, command: Command): Promise<unknown> {
  const { ledger } = side
  switch (command.do) {
    case 'hand over':
      return handOver(side, command)
    case 'decide':
      return decideBraked(side, command)
    case 'receive':
      return receive(side, command)
    case 'prepare':
      return (await ledger.attempts.prepare(pipelineAt(command.pipeline), command.size, command)).length
    case 'send':
      return send(side, command)
    case 'claim':
      return claimAttempt(side, attemptAt(side, command.which, 'prepared'), command.instance)
    case 'drop':
      return ledger.attempts.drop(attemptAt(side, command.which, 'prepared'), 'dropped', command.waitMs)
    case 'end':
      return end(side, command)
    case 'end oddly':
      return endOddly(side, command)
    case 'lose':
      return attemptRanks(
        side,
        await ledger.attempts.markLost(command.alive === null ? null : instanceAt(command.alive)),
      )
    case 'scan':
      return scan(side, command)
    case 'apply':
      return apply(side, command)
    case 'write back':
      return useWriteBack(side, runAt(side, command.run), command.verb)
    case 'take work':
      return takeWork(side, command.forget)
    case 'read queries':
      return readQueries(side)
    case 'time passes':
      return null
    default:
      return carryOutByHand(side, command)
  }
}

async function carryOutByHand(
  side: Side,
  command: Extract<Command, { do: 'pause' | 'resolve' | 'retry' | 'write directly' | 'poller' }>,
): Promise<unknown> {
  const { ledger } = side
  const decision = { by: 'ada', why: 'she asked' }
  if (command.do === 'poller') {
    if (command.verb === 'hurry') return ledger.poller.hurry(command.ms)
    return ledger.poller.schedule(command.ms, command.verb === 'schedule' ? null : command.ms * 2)
  }
  if (command.do === 'pause') {
    const course = courseAt(command.course)
    if (command.afterTrouble)
      return ledger.courses.pauseAfterTrouble(course, { firstMs: command.ms, maxMs: command.ms * 3 })
    return ledger.courses.pause(course, 'a reason', command.ms)
  }
  const state = ({ resolve: 'held', retry: 'failed', 'write directly': 'unconfirmed' } as const)[command.do]
  const ids = command.which.map((each) => issuanceAt(side, each, state))
  if (command.do === 'resolve')
    return issuanceRanks(side, await ledger.decisions.resolve(ids, command.answer, decision))
  if (command.do === 'retry') {
    const selection = command.run === null ? { ids } : { run: runAt(side, command.run) }
    return issuanceRanks(side, await ledger.decisions.retry(selection, decision))
  }
  const scan = { id: side.scans.at(-1) ?? 2 ** 40, startedAt: new Date(side.clock.now().getTime() - command.agoMs) }
  if (command.verb === 'sendAgain')
    return ledger.absence.sendAgain(ids, { batchCap: command.cap, countsAsResend: command.cap === null }, scan)
  if (command.verb === 'hold') return ledger.absence.hold(ids, 'held by hand', scan)
  const look = { controlShown: command.cap === null, lastLookAt: null }
  return issuanceRanks(side, await ledger.absence.noteLooks(ids, scan, look))
}
