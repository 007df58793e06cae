// Tell: what became of a credential is told where its learner and teacher look. Apart from issuing: whatever happens here, nobody is issued again.

import type { Target } from '#src/learning/targets.ts'
import { tellTarget } from '#src/learning/tell-target.ts'
import type { DueTell, ShownCredential } from '#src/ledger/tells.ts'
import { done, type Verdict } from '#src/queue/verdict.ts'
import type { Tools } from './tools.ts'

const atOnce = 50
/** A target that puts off so many in a row is left alone until the first of them is due again. */
const enough = 3

export type TellTools = Pick<Tools, 'ledger' | 'learning' | 'wire' | 'log' | 'clock'>

export async function tell(tools: TellTools, { pipeline }: { pipeline: string }): Promise<Verdict> {
  for (const target of tools.learning.targetsOf(pipeline))
    await tools.ledger.withLock(`tell:${pipeline}:${target.name}`, () => tellOf(tools, target), false)
  return done()
}

async function tellOf(tools: TellTools, { pipeline, name, settings, showsOne }: Target): Promise<void> {
  const { ledger, learning, wire, clock, log } = tools
  const telling = { learning, send: wire.send, clock, environment: ledger.environment as 'development' | 'production' }
  const gone = await ledger.tells.goneBecause(name)
  if (gone !== null) return ledger.tells.giveUp(pipeline, name, gone)
  let putOff = 0
  for (;;) {
    const due = await ledger.tells.due(pipeline, name, atOnce)
    for (const each of due) {
      const shown = showsOne && each.heard ? await ledger.tells.shown(pipeline, each.heard) : null
      const outcome = await tellTarget(telling, settings, shown ? inPlaceOf(each, shown) : each)
      await ledger.tells.note(each, outcome)
      putOff = outcome.kind === 'later' ? putOff + 1 : 0
      if (outcome.kind === 'failed')
        log.event('tell.failed', { pipeline, target: settings.to, issuance: each.issuanceId })
      if (outcome.kind === 'failed' && outcome.gone) {
        await ledger.tells.giveUp(pipeline, name, outcome.problem)
        return
      }
      if (putOff < enough) continue
      if (outcome.kind === 'later') await ledger.tells.putOff(pipeline, name, outcome.waitMs)
      log.event('target.away', { pipeline, target: settings.to })
      return
    }
    if (due.length < atOnce) return
  }
}

/** Said as of the later of the two: a platform refuses what is older than what it shows. */
function inPlaceOf(due: DueTell, shown: ShownCredential): DueTell {
  return { ...due, ...shown, since: new Date(Math.max(+shown.since, +due.since)) }
}
