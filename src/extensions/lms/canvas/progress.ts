// Reads from Canvas whether and when learners completed a course, based on their progress in its modules.

import { z } from 'zod'
import { type CanvasCall, idShape, pathSegment } from './call.ts'
import { CanvasError } from './canvas-error.ts'
import { type CountedModules, readCountedModules } from './counted-modules.ts'

export type CanvasCompletion =
  | { kind: 'completed'; at: Date }
  /** The progress contradicts itself, and Canvas does not settle it. */
  | { kind: 'undecided' }
  | { kind: 'not-completed' }
  /**
   * Canvas refuses to show progress, because the person is not a student of the course, or its modules have no
   * requirements. This says nothing about a completion.
   */
  | { kind: 'no-progress' }

const progressShape = z.object({
  requirement_count: z.number().nullish(),
  requirement_completed_count: z.number().nullish(),
  completed_at: z.string().nullish(),
})

export type CanvasProgress = z.infer<typeof progressShape>

// For a person who is not a student, Canvas returns an object with an error in place of the progress.
const listedShape = z.object({ id: idShape, progress: progressShape })

const moduleShape = z.object({ id: idShape, state: z.string().nullish(), completed_at: z.string().nullish() })

/**
 * Interprets the progress alone, without a call. `unsure`: it has either a completion time or all requirements met, but
 * not both. According to Canvas's source code, this happens when a module requires only one of its items, when the
 * learner has not opened a module yet, and when Canvas has not evaluated a module.
 */
export function readProgress(
  progress: CanvasProgress,
): { kind: 'completed'; at: Date } | { kind: 'not-completed' } | { kind: 'unsure' } {
  const needed = progress.requirement_count ?? 0
  const met = progress.requirement_completed_count ?? 0
  const at = timeOf(progress.completed_at)
  // Nothing is required yet, so nothing can have been completed.
  if (needed === 0 || (at === null && met < needed)) return { kind: 'not-completed' }
  return at !== null && met >= needed ? { kind: 'completed', at } : { kind: 'unsure' }
}

/**
 * Yields the progress of every current student of the course, page by page.
 * @throws CanvasError `record` for a course without requirements
 */
export async function* progressOfAll(
  call: CanvasCall,
  courseId: string,
): AsyncGenerator<{ id: string; progress: CanvasProgress }[], void, undefined> {
  try {
    yield* call.list('the progress of the course', `courses/${pathSegment(courseId)}/bulk_user_progress`, listedShape)
  } catch (error) {
    if (!(error instanceof CanvasError) || error.status !== 400) throw error
    throw new CanvasError(
      'record',
      'The course has no module with a requirement, so Canvas never considers it completed: set requirements in its modules.',
      { status: 400 },
    )
  }
}

export interface CourseCompletions {
  /** Reads the progress of one learner, and decides. */
  read(learnerId: string, isConcluded: boolean): Promise<CanvasCompletion>
  /** Decides on progress that was read already, with as few calls as possible. */
  decide(learnerId: string, isConcluded: boolean, progress: CanvasProgress): Promise<CanvasCompletion>
}

/** Reads the modules of the course at most once, when somebody may have completed it. */
export function openCourseCompletions(call: CanvasCall, courseId: string): CourseCompletions {
  let modules: Promise<CountedModules> | null = null
  const countedModules = () => {
    modules ??= readCountedModules(call, courseId)
    return modules
  }

  async function decide(learnerId: string, isConcluded: boolean, progress: CanvasProgress): Promise<CanvasCompletion> {
    const reading = readProgress(progress)
    if (reading.kind === 'not-completed') return reading
    // Canvas shows the modules of current students only.
    if (isConcluded) return reading.kind === 'completed' ? reading : { kind: 'undecided' }
    const { ids, isEveryModule } = await countedModules()
    // Otherwise the time may be the one at which the learner opened a module that requires nothing.
    if (reading.kind === 'completed' && isEveryModule) return reading
    return decideByModules(learnerId, ids)
  }

  /** Canvas evaluates the modules of the learner when it is asked for them. */
  async function decideByModules(learnerId: string, counted: ReadonlySet<string>): Promise<CanvasCompletion> {
    const path = `courses/${pathSegment(courseId)}/modules?student_id=${learnerId}`
    const times: (Date | null)[] = []
    for await (const page of call.list('the modules of a learner', path, moduleShape))
      for (const { id, state, completed_at } of page) {
        if (!counted.has(id)) continue
        if (state !== 'completed') return { kind: 'not-completed' }
        times.push(timeOf(completed_at))
      }
    // If Canvas shows the learner no module, the progress proves nothing.
    if (times.length === 0) return { kind: 'not-completed' }
    const latest = Math.max(...times.map((time) => time?.getTime() ?? Number.NaN))
    return Number.isNaN(latest) ? { kind: 'undecided' } : { kind: 'completed', at: new Date(latest) }
  }

  return {
    decide,
    async read(learnerId, isConcluded) {
      const path = `courses/${pathSegment(courseId)}/users/${learnerId}/progress`
      try {
        const progress = await call.get('the progress of a learner', path, progressShape)
        // A person who is not a student gets an error with HTTP 200.
        if (progress.requirement_count === undefined) return { kind: 'no-progress' }
        return await decide(learnerId, isConcluded, progress)
      } catch (error) {
        if (error instanceof CanvasError && error.failure.kind === 'record') return { kind: 'no-progress' }
        throw error
      }
    },
  }
}

function timeOf(text: string | null | undefined): Date | null {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? null : new Date(ms)
}
