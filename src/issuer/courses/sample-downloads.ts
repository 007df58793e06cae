// Downloads the samples of a course: an example sheet of recipients, and a ZIP of such a sheet with images. Their file
// formats are not documented.

import type { ReadResult } from '../classify-read.ts'
import type { Endpoint } from '../endpoint.ts'
import type { HttpAnswer } from '../http/exchange.ts'
import type { RetryingRead } from '../retrying-reader.ts'
import { routeTo } from '../routes.ts'

/**
 * A file exactly as the service sent it; its content is not checked. The content type is the one that the service sent,
 * or empty if it sent none.
 */
export interface Download {
  contentType: string
  bytes: Buffer
}

/**
 * Both throw ServiceRefusedError (404 for an unknown course) and the other errors of the reader, but never WireError.
 */
export function openSamples(endpoints: Record<'sample-sheet' | 'sample-data', Endpoint>, retryingRead: RetryingRead) {
  const downloads = (name: keyof typeof endpoints) => (courseUuid: string) => {
    const body = JSON.stringify({ course_uuid: courseUuid })
    return retryingRead(endpoints[name], { ...routeTo(name), body, wants: 'file' }, acceptAnyBody)
  }
  return {
    sampleSheet: downloads('sample-sheet'),
    /** The ZIP with images. */
    sampleData: downloads('sample-data'),
  }
}

// The body of an HTTP 200 answer may also be an envelope that reports an error; a caller that expects a workbook will
// notice.
function acceptAnyBody({ headers, bytes, text }: HttpAnswer): ReadResult<Download> {
  return { kind: 'done', found: { contentType: headers['content-type'] ?? '', bytes: bytes ?? Buffer.from(text) } }
}
