// At the start of a worker: pipelines of one course that tell people apart in two ways.

import type { App } from '#src/app.ts'
import { differingIdentities } from '#src/pipelines/differing-identities.ts'

/** By the configuration alone; `check` asks the service as well. */
export function warnOfIdentities({ pipelines, log }: Pick<App, 'pipelines' | 'log'>): void {
  const all = pipelines.names.map((name) => {
    const pipeline = pipelines.named(name)
    return { name, course: pipeline.course ?? `number ${pipeline.courseNumber}`, pipeline }
  })
  for (const { pipelines: names, course } of differingIdentities(all))
    log.event('course.two_identities', { pipeline: names[0], label: names[1], course })
}
