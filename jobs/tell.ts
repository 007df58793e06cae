// Tell: what became of a credential is told where its learner and teacher look. Apart from issuing: whatever happens here, nobody is issued again.

import type { Target } from '#src/learning/targets.ts'
import { tellTarget } from '#src/learning/tell-target.ts'
import { done, type Verdict } from '#src/queue/verdict.ts'
import type { Tools } from './tools.ts'

const atOnce = 50
/** A target that puts off so many in a row is left alone until the first of them is due again. */
const enough = 3

export type TellTools = Pick<Tools, 'ledger' | 'learning' | 'wire' | 'log' | 'clock'>

export async function tell(tools: TellTools, { pipeline }: { pipeline: string }): Promise<Verdict> {
  for (const target of tools.learning.targetsOf(pipeline))
    await tools.ledger.withLock(`tell:${pipeline}:${target.name}`, () => tellOf(tools, pipeline, target), false)
  return done()
}

async function tellOf(tools: TellTools, pipeline: string, { name, settings }: Target): Promise<void> {
  const { ledger, learning, wire, clock, log } = tools
  const telling = { learning, send: wire.send, clock, environment: ledger.environment as 'development' | 'production' }
  let putOff = 0
  for (;;) {
    const due = await ledger.tells.due(pipeline, name, atOnce)
    for (const each of due) {
      const outcome = await tellTarget(telling, settings, each)
      await ledger.tells.note(each, outcome)
      putOff = outcome.kind === 'later' ? putOff + 1 : 0
      if (outcome.kind === 'failed')
        log.event('tell.failed', { pipeline, target: settings.to, issuance: each.issuanceId })
      if (putOff < enough) continue
      if (outcome.kind === 'later') await ledger.tells.putOff(pipeline, name, outcome.waitMs)
      log.event('target.away', { pipeline, target: settings.to })
      return
    }
    if (due.length < atOnce) return
  }
}
