// Finds the modules of a Canvas course that count for its completion: those with a requirement. Calls the Canvas API.

import { z } from 'zod'
import { type CanvasCall, idShape, pathSegment } from './call.ts'

export interface CountedModules {
  ids: ReadonlySet<string>
  /** Whether every published module counts. */
  isEveryModule: boolean
}

const itemShape = z.object({ completion_requirement: z.unknown().optional() })
const moduleShape = z.object({ id: idShape, items: z.array(itemShape).nullish(), published: z.boolean().nullish() })

export async function readCountedModules(call: CanvasCall, courseId: string): Promise<CountedModules> {
  const path = `courses/${pathSegment(courseId)}/modules`
  const ids = new Set<string>()
  let isEveryModule = true
  // Canvas leaves out the items of a large module.
  for await (const page of call.list('the modules of the course', `${path}?include[]=items`, moduleShape))
    for (const { id, items, published } of page)
      if (items ? items.some(isRequired) : await hasRequirement(call, `${path}/${id}/items`)) ids.add(id)
      else if (published !== false) isEveryModule = false
  return { ids, isEveryModule }
}

async function hasRequirement(call: CanvasCall, path: string): Promise<boolean> {
  for await (const page of call.list('the items of a module', path, itemShape)) if (page.some(isRequired)) return true
  return false
}

function isRequired({ completion_requirement }: z.infer<typeof itemShape>): boolean {
  return completion_requirement !== undefined && completion_requirement !== null
}
