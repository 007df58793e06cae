// The sample downloads of a course: an Excel sheet, and a zip of one with an image.

import type { Call, Endpoint } from './call.ts'
import type { Course } from './course/course.ts'
import type { WireAnswer } from './mischief/spoiled-answer.ts'
import { courseNamed, type Premises } from './premises.ts'
import { fieldsOf, requiredText } from './read-body.ts'
import { writeWorkbook } from './workbook.ts'
import { zipped } from './zip.ts'

const folder = '/api/institute/v1/batch/download'
const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

// The smallest image that viewers open: one grey pixel.
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
)
const exampleImage = 'example.png'

export function sampleEndpoints(premises: Premises): Endpoint[] {
  const course = ({ body }: Call) => courseNamed(premises, requiredText(fieldsOf(body), 'course_uuid'))
  const door = { method: 'POST', admits: 'bearers' } as const
  return [
    { ...door, path: `${folder}/sample-sheet`, answer: async (call) => file(excel, await sampleSheet(course(call))) },
    {
      ...door,
      path: `${folder}/sample-data`,
      answer: async (call) => file('application/zip', await sampleData(course(call))),
    },
  ]
}

// Required columns carry an asterisk, as such sheets often do: a client must not take it for a part of the name.
async function sampleSheet({ fields, imageColumn }: Course): Promise<Buffer> {
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

async function sampleData(course: Course): Promise<Buffer> {
  const files = new Map([['sample.xlsx', await sampleSheet(course)]])
  if (course.imageColumn) files.set(exampleImage, pixel)
  return zipped(files)
}

function file(contentType: string, body: Buffer): WireAnswer {
  return { status: 200, contentType, body }
}
