// Reads the file of an upload: its recipients, keyed by display names as in a JSON invitation, and their images. Pure.

import { hash } from 'node:crypto'
import type { CourseRecord } from './course.ts'
import { imageKind } from './image-kind.ts'
import type { Fields } from './read-body.ts'
import { SandboxRefusal } from './refusal.ts'
import { readSandboxWorkbook } from './workbook.ts'
import { type Files, unzip } from './zip.ts'

export interface PostedSheet {
  header: readonly string[]
  rows: readonly (readonly string[])[]
  images: Files
}

export interface Uploaded {
  student: Fields
  /** SHA-256 of the image's bytes, in hex. */
  image: string | null
}

/**
 * Reads a workbook, or a ZIP of one workbook and images.
 * @throws SandboxRefusal 400
 */
export async function readPostedSheet(file: Buffer): Promise<PostedSheet> {
  const files = await unzip(file)
  if (files.has('[Content_Types].xml')) return sheetOf(file, new Map())
  const names = [...files.keys()]
  const [sheet, ...others] = names.filter((name) => name.toLowerCase().endsWith('.xlsx'))
  if (sheet === undefined || others.length > 0) throw bad('the zip must hold one Excel sheet')
  const images = new Map([...files].filter(([name]) => name !== sheet))
  for (const [name, bytes] of images)
    if (!imageKind(bytes) || !/\.(jpe?g|png)$/i.test(name))
      throw bad('the zip contains a file that is not a jpg, jpeg or png')
  return sheetOf(files.get(sheet) as Buffer, images)
}

async function sheetOf(workbook: Buffer, images: Files): Promise<PostedSheet> {
  const [header, ...rows] = await readSandboxWorkbook(workbook)
  if (!header || rows.length === 0) throw bad('the sheet holds no recipients')
  return { header, rows, images }
}

/**
 * Returns one record for each row.
 * @throws SandboxRefusal 400 for a column that the course does not have, and if the images are not exactly those named
 * in the rows
 */
export function recipientsOf({ header, rows, images }: PostedSheet, course: CourseRecord): Uploaded[] {
  const titles = header.map((title) => titleIn(title, course))
  if (new Set(titles).size < titles.length) throw bad('the sheet has a column twice')
  const named = new Set<string>()
  const uploaded = rows.map((cells) => {
    const filled = titles.flatMap((title, at) => (cells[at]?.trim() ? [[title, cells[at]] as const] : []))
    const { [course.imageColumn ?? '']: image, ...student } = Object.fromEntries(filled)
    if (image !== undefined) named.add(image)
    const bytes = image === undefined ? undefined : images.get(image)
    return { student, image: bytes ? hash('sha256', bytes) : null }
  })
  if (named.size !== images.size || [...named].some((name) => !images.has(name)))
    throw bad('the images of the zip are not exactly those that its rows name')
  return uploaded
}

function titleIn(title: string, course: CourseRecord): string {
  const names = [
    ...course.fields.map((field) => field.display_name),
    ...(course.imageColumn ? [course.imageColumn] : []),
  ]
  const found = names.find((name) => plain(name) === plain(title))
  if (found === undefined) throw bad('the sheet has a column that the sample sheet of the course does not have')
  return found
}

const plain = (title: string) => title.replace(/\*$/, '').trim().toLowerCase()

function bad(why: string): SandboxRefusal {
  return new SandboxRefusal(400, `Bad request: ${why}.`)
}
