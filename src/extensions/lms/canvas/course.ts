// Reads a course from Canvas, as a pipeline names it: by its Canvas id, or by `sis_course_id:` followed by its SIS id.

import { z } from 'zod'
import { type CanvasCall, idShape, pathSegment } from './call.ts'
import { CanvasError } from './canvas-error.ts'

export interface CanvasCourse {
  id: string
  /** Null when the course has no SIS id, or when the account may not see it. */
  sisId: string | null
  name: string
  /** The number of current learners, including those whom the account does not see; null when Canvas does not say. */
  learnerCount: number | null
  /** An administrator has concluded it, and with it every enrollment. A past end date alone concludes nothing. */
  isConcluded: boolean
}

const courseShape = z
  .object({
    id: idShape,
    sis_course_id: z.string().nullish(),
    name: z.string().nullish(),
    total_students: z.number().nullish(),
    workflow_state: z.string().nullish(),
  })
  .transform(
    (shown): CanvasCourse => ({
      id: shown.id,
      sisId: shown.sis_course_id ?? null,
      name: shown.name ?? '',
      learnerCount: shown.total_students ?? null,
      isConcluded: shown.workflow_state === 'completed',
    }),
  )

/** @returns null when the account can see no such course */
export async function course(call: CanvasCall, code: string): Promise<CanvasCourse | null> {
  try {
    return await call.get('the course', `courses/${pathSegment(code)}?include[]=total_students`, courseShape)
  } catch (error) {
    if (error instanceof CanvasError && error.status === 404) return null
    throw error
  }
}
