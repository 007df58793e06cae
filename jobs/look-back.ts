// Look back: at night the profiles of a Moodle are read again, for what was verified once may have been overwritten since. It goes on in short
// pieces, so that no event waits behind it, and ends with the night; who was left out is first in the next one.

import { lookBackAt } from '#src/learning/look-back.ts'
import type { AskedMoodle } from '#src/learning/open-learning.ts'
import type { ShownLearner } from '#src/ledger/look-back.ts'
import { MoodleError } from '#src/moodle/moodle-error.ts'
import { MoodleRecordError } from '#src/moodle/moodle-record-error.ts'
import { done, snooze, type Verdict } from '#src/queue/verdict.ts'
import type { Tools } from './tools.ts'

const atOnce = 50
const breathMs = 200

export type LookTools = Pick<Tools, 'ledger' | 'learning' | 'log'>

export async function lookBack(tools: LookTools, { system }: { system: string }): Promise<Verdict> {
  const { ledger, learning, log } = tools
  const asked = learning.moodles.find(({ name }) => name === system)
  if (!asked) return done()
  const more = await ledger.withLock(
    `look-back:${system}`,
    async () => {
      const learners = await ledger.lookBack.due(system, `moodle-profile ${system}`, atOnce)
      try {
        for (const learner of learners) await lookAt(tools, asked, learner)
      } catch (error) {
        if (!(error instanceof MoodleError)) throw error
        log.event('system.away', { system, error: error.name })
        return false
      }
      return learners.length > 0
    },
    false,
  )
  return more ? snooze(breathMs, 'more to look at') : done()
}

async function lookAt(
  { ledger, learning, log }: LookTools,
  { name, moodle }: AskedMoodle,
  { learner, tells }: ShownLearner,
): Promise<void> {
  const profile = await moodle.readProfile(Number(learner)).catch((error: unknown) => {
    if (error instanceof MoodleRecordError) return null
    throw error
  })
  // Whoever is gone has no page that could be wrong.
  const looked = profile
    ? lookBackAt(profile, tells, (pipeline) => learning.profileFieldsOf(pipeline, name))
    : tells.map((tell) => ({ tell, found: { found: 'same' as const } }))
  for (const { tell, found } of looked) {
    await ledger.lookBack.note(tell, found)
    if (found.found === 'same' || (found.found === 'other' && tell.state === 'drifted')) continue
    const { pipeline, issuanceId: issuance } = tell
    const outcome = found.found === 'again' ? 'told again' : 'left'
    log.event('tell.drift', { pipeline, target: 'moodle-profile', issuance, outcome })
  }
}
