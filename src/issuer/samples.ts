// The samples of a course: what a sheet of recipients is to look like, and a ZIP of one with images. Files, of a form that is not shown.

import type { Endpoint } from './endpoint.ts'
import type { Answer } from './exchange.ts'
import type { ReadVerdict } from './read-verdict.ts'
import type { AskAgain } from './reader.ts'
import { routeTo } from './routes.ts'

/** A file as it came. Nothing is said about what is in it; the content type is the service's word, empty when it gave none. */
export interface Download {
  contentType: string
  bytes: Buffer
}

export interface Samples {
  /** Throws ServiceRefusedError (404 for an unknown course) and what else Reader throws, but never WireError. */
  sampleSheet(courseUuid: string): Promise<Download>
  /** The same for the ZIP with images. */
  sampleData(courseUuid: string): Promise<Download>
}

export function openSamples(endpoints: { sheet: Endpoint; data: Endpoint }, ask: AskAgain): Samples {
  const download = (endpoint: Endpoint, name: 'sample-sheet' | 'sample-data', courseUuid: string) => {
    const body = JSON.stringify({ course_uuid: courseUuid })
    return ask(endpoint, { ...routeTo(name), body, wants: 'file' }, asItCame)
  }
  return {
    sampleSheet: (courseUuid) => download(endpoints.sheet, 'sample-sheet', courseUuid),
    sampleData: (courseUuid) => download(endpoints.data, 'sample-data', courseUuid),
  }
}

// An envelope with a status of its own may come under HTTP 200 too; whoever looks for a workbook sees that it is none.
function asItCame({ headers, bytes, text }: Answer): ReadVerdict<Download> {
  return { kind: 'done', found: { contentType: headers['content-type'] ?? '', bytes: bytes ?? Buffer.from(text) } }
}
