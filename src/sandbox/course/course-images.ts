// The images of courses: taken by their content, kept under a name that follows from it, and given out again.

import { hash } from 'node:crypto'
import type { Endpoint } from '#src/sandbox/call.ts'
import { imageKind } from '#src/sandbox/image-kind.ts'
import type { Premises } from '#src/sandbox/premises.ts'
import { Refusal } from '#src/sandbox/refusal.ts'
import type { StoredImage } from './course.ts'
import { wrong } from './field-readers.ts'

/** Image paths in course detail are relative to this one, on the sandbox's own address. */
export const imageFolder = '/sandbox/images'

/** The image of a form's field; null where there is none, or an empty file, as browsers send it. @throws Refusal 400 */
export function imageIn(files: ReadonlyMap<string, Buffer>, field: string): StoredImage | null {
  const bytes = files.get(field)
  if (!bytes || bytes.length === 0) return null
  const kind = imageKind(bytes)
  if (!kind) throw wrong(field, 'must be a jpg, jpeg or png image')
  return { path: `${hash('sha256', bytes).slice(0, 32)}.${kind.kind}`, contentType: kind.contentType, bytes }
}

/** The image storage: without a token, as its address in a web page must be. */
export function imageEndpoint({ courses }: Premises): Endpoint {
  return {
    method: 'GET',
    path: `${imageFolder}/:name`,
    admits: 'anybody',
    answer({ params }) {
      const images = courses.all().flatMap((course) => [course.image, course.certificateImage])
      const image = images.find((each) => each?.path === params.name)
      if (!image) throw new Refusal(404, 'Not found: there is no such image.')
      return { status: 200, contentType: image.contentType, body: image.bytes }
    },
  }
}
