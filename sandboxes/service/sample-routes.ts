// The endpoints for the samples of a course: an Excel sheet, and a ZIP with such a sheet and an image.

import type { SandboxCall, SandboxEndpoint } from './call.ts'
import type { CourseRecord } from './course.ts'
import type { WireResponse } from './faults/faulty-response.ts'
import { fieldsOf, requiredText } from './read-body.ts'
import { courseNamed, type RouteContext } from './route-context.ts'
import { writeWorkbook } from './workbook.ts'
import { zipped } from './zip.ts'

const folder = '/api/institute/v1/batch/download'
const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

// The smallest image that viewers can open: one gray pixel.
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
)
const exampleImage = 'example.png'

export function sampleEndpoints(context: RouteContext): SandboxEndpoint[] {
  const course = ({ body }: SandboxCall) => courseNamed(context, requiredText(fieldsOf(body), 'course_uuid'))
  const route = { method: 'POST', admits: 'bearers' } as const
  return [
    { ...route, path: `${folder}/sample-sheet`, answer: async (call) => file(excel, await sampleSheet(course(call))) },
    {
      ...route,
      path: `${folder}/sample-data`,
      answer: async (call) => file('application/zip', await sampleData(course(call))),
    },
  ]
}

// As is common in such sheets, required columns have an asterisk, which clients must not treat as part of the name.
async function sampleSheet({ fields, imageColumn }: CourseRecord): Promise<Buffer> {
  const header = fields.map(({ display_name, required }) => (required ? `${display_name} *` : display_name))
  const example = fields.map((field) => field.sample_value)
  return writeWorkbook(
    imageColumn
      ? [
          [...header, imageColumn],
          [...example, exampleImage],
        ]
      : [header, example],
  )
}

async function sampleData(course: CourseRecord): Promise<Buffer> {
  const files = new Map([['sample.xlsx', await sampleSheet(course)]])
  if (course.imageColumn) files.set(exampleImage, pixel)
  return zipped(files)
}

function file(contentType: string, body: Buffer): WireResponse {
  return { status: 200, contentType, body }
}
