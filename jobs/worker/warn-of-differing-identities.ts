// Logs a warning at the start of a worker if pipelines of one course identify people by different rules.

import type { App } from '#src/app/app.ts'
import { differingIdentities } from '#src/issuing/pipelines/differing-identities.ts'

/** Uses only the configuration; `check` also queries the service. */
export function warnOfDifferingIdentities({ pipelines, log }: Pick<App, 'pipelines' | 'log'>): void {
  const all = pipelines.names.map((name) => {
    const pipeline = pipelines.named(name)
    return { name, course: pipeline.course ?? `number ${pipeline.courseNumber}`, pipeline }
  })
  for (const { pipelines: names, course } of differingIdentities(all))
    log.event('course.two_identities', { pipeline: names[0], label: names[1], course })
}
