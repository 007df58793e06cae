// Resolves a course argument of the command line: a uuid, a pipeline's name, a course number, or an exact course name.
// May call the service.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import { nearestName } from '#src/domain/recipient/nearest-name.ts'
import { type CourseCache, CourseUnknownError } from './course-cache.ts'
import type { Pipelines } from './pipelines.ts'

export interface FoundCourse {
  uuid: string
  /** The pipeline, if the argument was its name. */
  pipeline: PipelineSettings | null
}

interface ListedCourse {
  course_uuid: string | null
  course_number: string | null
  course_name: string | null
}

export interface CourseSources {
  pipelines: Pick<Pipelines, 'find' | 'names'>
  cache: Pick<CourseCache, 'uuidOf'>
  /** Lists every course of the service; the last page is marked `cut` if there are more. */
  listCourses(): AsyncIterable<{ items: readonly ListedCourse[]; walk: 'more' | 'complete' | 'cut' }>
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * A uuid is returned without calling the service. A pipeline's name takes precedence over a number, and a number over a
 * course name.
 * @throws CourseUnknownError if nothing matches or several courses have the name; and any error from the sources
 */
export async function findCourse(
  argument: string,
  { pipelines, cache, listCourses }: CourseSources,
): Promise<FoundCourse> {
  const wanted = argument.trim()
  if (uuidPattern.test(wanted)) return { uuid: wanted, pipeline: null }
  const pipeline = pipelines.find(wanted)
  if (pipeline) return { uuid: await cache.uuidOf(pipeline), pipeline }
  const known: ListedCourse[] = []
  let complete = true
  for await (const page of listCourses()) {
    known.push(...page.items)
    complete = page.walk !== 'cut'
  }
  const uuid = uuidAmong(wanted, known)
  if (uuid) return { uuid, pipeline: null }
  throw new CourseUnknownError(notFoundMessage(wanted, known, pipelines.names, complete))
}

/** @throws CourseUnknownError if several courses have the name */
function uuidAmong(wanted: string, known: readonly ListedCourse[]): string | null {
  const numbered = known.find((course) => course.course_number?.trim() === wanted)
  if (numbered?.course_uuid) return numbered.course_uuid
  const sameName = known.filter((course) => course.course_name?.trim() === wanted)
  if (sameName.length > 1) {
    const numbers = sameName.map((course) => course.course_number ?? course.course_uuid).join(', ')
    throw new CourseUnknownError(
      `${sameName.length} courses are called “${wanted}”. Give the number of the right one: ${numbers}.`,
    )
  }
  return sameName[0]?.course_uuid ?? null
}

function notFoundMessage(
  wanted: string,
  known: readonly ListedCourse[],
  pipelineNames: readonly string[],
  complete: boolean,
): string {
  const start = `No course and no pipeline is called “${wanted}”.`
  // An incomplete list cannot prove that there is no such course.
  if (!complete) return `${start} The service listed only some of its courses: give the course's uuid.`
  const names = known.flatMap((course) => [course.course_number, course.course_name]).filter((name) => name !== null)
  const near = nearestName(wanted, [...pipelineNames, ...names])
  return `${start} ${near ? `Did you mean “${near}”?` : "Give a course's number, its uuid, its exact name, or the name of a pipeline."}`
}
