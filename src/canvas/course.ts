// Finds a course as a pipeline names it: by Canvas's id, or as sis_course_id: with the SIS id behind it.

import { z } from 'zod'
import { type Call, idShape, segment } from './call.ts'
import { CanvasError } from './canvas-error.ts'

export interface CanvasCourse {
  id: string
  /** Null where there is none, or where the account may not see it. */
  sisId: string | null
  name: string
}

const courseShape = z
  .object({ id: idShape, sis_course_id: z.string().nullish(), name: z.string().nullish() })
  .transform(({ id, sis_course_id, name }): CanvasCourse => ({ id, sisId: sis_course_id ?? null, name: name ?? '' }))

/** Null when there is none, or none that the account may see. */
export async function course(call: Call, code: string): Promise<CanvasCourse | null> {
  try {
    return await call.get('the course', `courses/${segment(code)}`, courseShape)
  } catch (error) {
    if (error instanceof CanvasError && error.status === 404) return null
    throw error
  }
}
