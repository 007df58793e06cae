// Checks that all pipelines of one course identify people in the same way. Calls the service.

import { differingIdentities, type PipelineOfCourse } from '#src/issuing/pipelines/differing-identities.ts'
import { type Check, faulty } from './check-result.ts'
import type { Parts } from './open-parts.ts'

/**
 * Courses are compared by their uuid. If the service does not return a course, its uuid or number in the configuration
 * is used; other checks report what is wrong with it.
 */
export async function checkIdentities({ pipelines, service }: Pick<Parts, 'pipelines' | 'service'>): Promise<Check[]> {
  const all = await Promise.all(
    pipelines.names.map(async (name): Promise<PipelineOfCourse> => {
      const pipeline = pipelines.named(name)
      const configuredCourse = pipeline.course ?? `number ${pipeline.courseNumber}`
      if (!service || pipelines.names.length < 2) return { name, course: configuredCourse, pipeline }
      try {
        const course = await service.courses.uuidOf(pipeline)
        return { name, course, pipeline, fields: await service.issuer.fieldList(course) }
      } catch {
        return { name, course: configuredCourse, pipeline }
      }
    }),
  )
  return differingIdentities(all).map(({ pipelines: [name, other], difference }) =>
    faulty(
      'identity',
      `${difference}, and both issue credentials of one course: people in the lists of both pipelines get two credentials`,
      `Give ${other} and ${name} the same identity and occurrence`,
      { pipeline: name },
    ),
  )
}
