// Whether the pipelines of one course tell people apart in one way.

import { differingIdentities, type PipelineOfCourse } from '#src/pipelines/differing-identities.ts'
import { bad, type Check } from './check.ts'
import type { Parts } from './open-parts.ts'

/** A course that the service does not tell is looked at as the configuration names it: what is wrong with it is told elsewhere. */
export async function checkIdentities({ pipelines, service }: Pick<Parts, 'pipelines' | 'service'>): Promise<Check[]> {
  const all = await Promise.all(
    pipelines.names.map(async (name): Promise<PipelineOfCourse> => {
      const pipeline = pipelines.named(name)
      const written = pipeline.course ?? `number ${pipeline.courseNumber}`
      if (!service || pipelines.names.length < 2) return { name, course: written, pipeline }
      try {
        const course = await service.courses.uuidOf(pipeline)
        return { name, course, pipeline, fields: await service.issuer.fieldList(course) }
      } catch {
        return { name, course: written, pipeline }
      }
    }),
  )
  return differingIdentities(all).map(({ pipelines: [name, other], what }) =>
    bad(
      'identity',
      `${what}, and both issue one course: whoever is in the lists of both is issued twice`,
      `Give ${other} and ${name} the same identity and occurrence`,
      { pipeline: name },
    ),
  )
}
