// What the health page says about learning systems: which of them are unavailable, and where nothing is delivered.

import type { App } from '#src/app/app.ts'
import type { SystemStatus } from '#src/extensions/lms/ledger/learning-systems.ts'
import { cacheAnswer } from '#src/platform/time/cache-answer.ts'
import { within } from '#src/platform/time/deadline.ts'
import { minuteOf } from '#src/platform/time/duration.ts'
import { type FindNotices, healthAnswerMs, healthCacheMs } from '#src/web/health.ts'

interface Parts extends Pick<App, 'clock'> {
  ledger: {
    learningSystems: Pick<App['ledger']['learningSystems'], 'statuses'>
    deliveries: Pick<App['ledger']['deliveries'], 'refusedTargets'>
  }
}

export function openLearningNotices({ clock, ledger }: Parts): FindNotices {
  const cached = <Row>(query: () => Promise<Row[]>) =>
    cacheAnswer(clock, () => within(clock, healthAnswerMs, query()), { validMs: healthCacheMs })
  const systems = cached(() => ledger.learningSystems.statuses())
  const refused = cached(() => ledger.deliveries.refusedTargets())
  // A failure is ignored here, because the page already reports that the database does not respond.
  return async (answers) => {
    if (!answers) return []
    const unavailable = (await systems().catch(() => [])).flatMap(describeUnavailable)
    const refusing = (await refused().catch(() => [])).map(
      ({ target, problem }) => `nothing is delivered to ${target}: ${problem}`,
    )
    return [...unavailable, ...refusing]
  }
}

function describeUnavailable({ system, watched, unavailableSince, unavailableReason }: SystemStatus): string[] {
  if (!watched || unavailableSince === null) return []
  return [
    `the learning system ${system} has been unavailable since ${minuteOf(unavailableSince)} UTC: ${unavailableReason}`,
  ]
}
