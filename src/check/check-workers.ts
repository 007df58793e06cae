// Checks that the running workers of this ledger use the current settings, and that all pipelines of one course
// identify people in the same way. Reads the database and calls the service.

import { olderSettingsSentence, runningWorkers } from '#src/app/running-workers.ts'
import { workerLocation } from '#src/issuing/descriptions/describe-worker.ts'
import { differingIdentities, type PipelineOfCourse } from '#src/issuing/pipelines/differing-identities.ts'
import { type Check, faulty, passed } from './check-result.ts'
import type { Parts } from './open-parts.ts'

export async function checkWorkers({ database, ledger, settings, storeId }: Parts): Promise<Check[]> {
  if (!database || !ledger) return []
  const workers = await runningWorkers({ database, ledger })
  // Not a fault: before the first start there is no worker.
  if (workers.length === 0) return [passed('worker', 'no worker is running on this ledger')]
  return workers.map((worker) => {
    if (storeId !== null && worker.store !== null && worker.store !== storeId)
      return faulty(
        'worker',
        `uses another Redis, or another database in Redis, than REDIS_URL of this process: ${workerLocation(worker)}`,
        'Give every worker and every command of this ledger the same REDIS_URL, including the database number at its end',
      )
    const olderSentence = olderSettingsSentence(worker, settings)
    // Not a fault either: the configuration is often checked after a change and before the restart.
    return passed(
      'worker',
      `runs: ${workerLocation(worker)}`,
      olderSentence === null ? {} : { notices: [olderSentence] },
    )
  })
}

/**
 * Checks that all pipelines of one course identify people in the same way. Courses are compared by their uuid. If the
 * service does not return a course, its uuid or number in the configuration is used; other checks report what is wrong
 * with it. Calls the service.
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
