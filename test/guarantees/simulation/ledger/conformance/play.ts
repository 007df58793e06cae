// Carries out one command on one side, and tells what the verbs answered: with ranks in place of ids, and with what was refused.

import type { Command } from './commands.ts'
import { lookAround, takeWork, tell } from './look-around.ts'
import {
  attemptAt,
  attemptRanks,
  courseAt,
  instanceAt,
  issuanceAt,
  issuanceRanks,
  pipelineAt,
  runAt,
} from './places.ts'
import { apply, scan } from './play-report.ts'
import { decideBraked, end, endOddly, handOver, passDoor, receive, send } from './play-sending.ts'
import type { Side } from './side.ts'

/** @returns what the verbs answered; `{ refused }` where one of them threw */
export async function play(side: Side, command: Command): Promise<unknown> {
  try {
    return (await carryOut(side, command)) ?? null
  } catch (error) {
    // A TypeError is a mistake of this suite, and both sides would make the same.
    if (!(error instanceof Error) || error instanceof TypeError) throw error
    // A database's own words are not the twin's; a ledger's are, but for the ids in them.
    const code = (error as { code?: unknown }).code
    // Which of several broken rules speaks first is PostgreSQL's affair: class 23 is a rule of the tables.
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
      return (await ledger.prepareAttempt(pipelineAt(command.pipeline), command.size, command)) !== null
    case 'send':
      return send(side, command)
    case 'pass door':
      return passDoor(side, attemptAt(side, command.which, 'prepared'), command.instance)
    case 'drop':
      return ledger.dropAttempt(attemptAt(side, command.which, 'prepared'), 'dropped', command.waitMs)
    case 'end':
      return end(side, command)
    case 'end oddly':
      return endOddly(side, command)
    case 'lose':
      return attemptRanks(side, await ledger.loseAttempts(command.alive === null ? null : instanceAt(command.alive)))
    case 'scan':
      return scan(side, command)
    case 'apply':
      return apply(side, command)
    case 'tell':
      return tell(side, runAt(side, command.run), command.verb)
    case 'take work':
      return takeWork(side, command.forget)
    case 'look around':
      return lookAround(side)
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
    if (command.verb === 'hurry') return ledger.hurryPoller(command.ms)
    return ledger.schedulePoller(command.ms, command.verb === 'schedule' ? null : command.ms * 2)
  }
  if (command.do === 'pause') {
    const course = courseAt(command.course)
    if (command.afterTrouble) return ledger.pauseAfterTrouble(course, command.ms)
    return ledger.pauseCourse(course, 'a reason', command.ms)
  }
  const own = ({ resolve: 'held', retry: 'failed', 'write directly': 'unconfirmed' } as const)[command.do]
  const ids = command.which.map((each) => issuanceAt(side, each, own))
  if (command.do === 'resolve') return issuanceRanks(side, await ledger.resolveHeld(ids, command.answer, decision))
  if (command.do === 'retry') {
    const of = command.run === null ? { ids } : { run: runAt(side, command.run) }
    return issuanceRanks(side, await ledger.retryFailed(of, decision))
  }
  const scan = { id: side.scans.at(-1) ?? 2 ** 40, startedAt: new Date(side.clock.now().getTime() - command.agoMs) }
  if (command.verb === 'sendAgain')
    return ledger.sendAgain(ids, { batchCap: command.cap, countsAsResend: command.cap === null }, scan)
  if (command.verb === 'holdRows') return ledger.holdRows(ids, 'held by hand', scan)
  const look = { controlShown: command.cap === null, lastLookAt: null }
  return issuanceRanks(side, await ledger.noteLooks(ids, scan, look))
}
