// Which course a word of the command line means: a uuid, a pipeline's name, a course's number, or its exact name.

import type { PipelineSettings } from '#config/schema.ts'
import { nearestName } from '#src/recipients/nearest-name.ts'
import { type CourseDesk, CourseUnknownError } from './course-desk.ts'
import type { Pipelines } from './pipelines.ts'

export interface FoundCourse {
  uuid: string
  /** Where the word was a pipeline's name: that pipeline. */
  pipeline: PipelineSettings | null
}

interface ListedCourse {
  course_uuid: string | null
  course_number: string | null
  course_name: string | null
}

export interface CourseSources {
  pipelines: Pick<Pipelines, 'find' | 'names'>
  desk: Pick<CourseDesk, 'uuidOf'>
  /** Every course of the service; `cut` on the last page when there are more. */
  listCourses(): AsyncIterable<{ items: readonly ListedCourse[]; walk: 'more' | 'complete' | 'cut' }>
}

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * A uuid is taken as it stands, and the service is not asked. A pipeline's name comes before a number, and a number before a name.
 * @throws CourseUnknownError when it means no course, or a name means several; and what the sources throw
 */
export async function findCourse(word: string, { pipelines, desk, listCourses }: CourseSources): Promise<FoundCourse> {
  const wanted = word.trim()
  if (uuidForm.test(wanted)) return { uuid: wanted, pipeline: null }
  const pipeline = pipelines.find(wanted)
  if (pipeline) return { uuid: await desk.uuidOf(pipeline), pipeline }
  const known: ListedCourse[] = []
  let complete = true
  for await (const page of listCourses()) {
    known.push(...page.items)
    complete = page.walk !== 'cut'
  }
  const uuid = chosen(wanted, known)
  if (uuid) return { uuid, pipeline: null }
  throw new CourseUnknownError(unknown(wanted, known, pipelines.names, complete))
}

/** @throws CourseUnknownError when several courses bear the name */
function chosen(wanted: string, known: readonly ListedCourse[]): string | null {
  const numbered = known.find((course) => course.course_number?.trim() === wanted)
  if (numbered?.course_uuid) return numbered.course_uuid
  const called = known.filter((course) => course.course_name?.trim() === wanted)
  if (called.length > 1) {
    const numbers = called.map((course) => course.course_number ?? course.course_uuid).join(', ')
    throw new CourseUnknownError(`${called.length} courses are called “${wanted}”. Give the number of one: ${numbers}.`)
  }
  return called[0]?.course_uuid ?? null
}

function unknown(
  wanted: string,
  known: readonly ListedCourse[],
  pipelineNames: readonly string[],
  complete: boolean,
): string {
  const start = `No course and no pipeline is called “${wanted}”.`
  // Beyond its first part the list is unseen, so "there is none" would be more than is known.
  if (!complete) return `${start} The service showed only a part of its courses: give the course's uuid.`
  const names = known.flatMap((course) => [course.course_number, course.course_name]).filter((name) => name !== null)
  const near = nearestName(wanted, [...pipelineNames, ...names])
  return `${start} ${near ? `Did you mean “${near}”?` : "Give a course's number, its uuid, its exact name, or the name of a pipeline."}`
}
