// The images of courses: recognizes them by their content, names them by their hash, and serves them.

import { hash } from 'node:crypto'
import type { SandboxEndpoint } from '#sandboxes/service/call.ts'
import { imageKind } from '#sandboxes/service/image-kind.ts'
import { SandboxRefusal } from '#sandboxes/service/refusal.ts'
import type { RouteContext } from '#sandboxes/service/route-context.ts'
import type { CourseImageFile } from '../course.ts'
import { invalidField } from './field-readers.ts'

/** Image paths in course detail are relative to this path at the sandbox's address. */
export const imageFolder = '/sandbox/images'

/**
 * Returns the image in a field of a form; null if there is none, or only an empty file, which browsers send.
 * @throws SandboxRefusal 400
 */
export function imageIn(files: ReadonlyMap<string, Buffer>, field: string): CourseImageFile | null {
  const bytes = files.get(field)
  if (!bytes || bytes.length === 0) return null
  const kind = imageKind(bytes)
  if (!kind) throw invalidField(field, 'must be a jpg, jpeg or png image')
  return { path: `${hash('sha256', bytes).slice(0, 32)}.${kind.kind}`, contentType: kind.contentType, bytes }
}

/** Returns the endpoint that serves images. It needs no token, because web pages refer to it. */
export function imageEndpoint({ courses }: RouteContext): SandboxEndpoint {
  return {
    method: 'GET',
    path: `${imageFolder}/:name`,
    admits: 'anyone',
    answer({ params }) {
      const images = courses.all().flatMap((course) => [course.image, course.certificateImage])
      const image = images.find((image) => image?.path === params.name)
      if (!image) throw new SandboxRefusal(404, 'Not found: there is no such image.')
      return { status: 200, contentType: image.contentType, body: image.bytes }
    },
  }
}
