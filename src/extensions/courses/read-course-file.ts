// Reads a course file from disk, with the images that it names, and reports all of its faults together. Sends nothing.

import { readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { z } from 'zod'
import { faultsOf } from '#config/schema-faults.ts'
import { nearestName } from '#src/domain/recipient/nearest-name.ts'
import { readImageKind } from '#src/files/tables/zip-source/image-kind.ts'
import { type CourseFieldName, type CourseImage, courseFields } from '#src/issuer/courses/course-fields.ts'
import { type CourseFile, courseFileSchema } from './course-file-schema.ts'
import { courseKeys, keyOf } from './course-keys.ts'
import { readYaml } from './course-yaml.ts'

/** In bytes. A description may contain HTML; even an inline image would fit. */
const maxFileBytes = 4 * 2 ** 20
/**
 * In bytes. The service documents formats but no size, and responds with 413 to a file that is too large. This limit
 * only prevents a wrong file from filling the memory.
 */
const maxImageBytes = 20 * 2 ** 20

export interface ReadCourseFile {
  path: string
  file: CourseFile
  images: Partial<Record<'image' | 'certificateImage', CourseImage>>
}

/**
 * @param path absolute, or relative to the working directory; the images named in the file are relative to its folder
 * @throws CourseFileError with every fault of the file and its images
 */
export async function readCourseFile(path: string): Promise<ReadCourseFile> {
  const bytes = await readAtMost(path, maxFileBytes)
  if ('problem' in bytes) throw new CourseFileError(path, [{ where: 'the file', sentence: bytes.problem }])
  const parsed = parseCourseFile(bytes.bytes.toString('utf8'))
  if ('faults' in parsed) throw new CourseFileError(path, parsed.faults)
  const faults: CourseFault[] = []
  const images: ReadCourseFile['images'] = {}
  for (const key of ['image', 'certificateImage'] as const) {
    const name = parsed.file[key]
    if (name === undefined) continue
    const read = await readImage(resolve(dirname(path), name))
    if ('problem' in read) faults.push({ where: key, sentence: read.problem })
    else images[key] = read
  }
  if (faults.length > 0) throw new CourseFileError(path, faults)
  return { path, file: parsed.file, images }
}

/** Detects the image type from the content and ignores the file's name. */
async function readImage(path: string): Promise<CourseImage | { problem: string }> {
  const read = await readAtMost(path, maxImageBytes)
  if ('problem' in read) return { problem: `names ${path}, which ${read.problem}` }
  const kind = readImageKind(read.bytes)
  if (!kind) return { problem: `names ${path}, which is not a complete jpg, jpeg or png image` }
  return { bytes: read.bytes, contentType: kind === 'png' ? 'image/png' : 'image/jpeg' }
}

async function readAtMost(path: string, maxBytes: number): Promise<{ bytes: Buffer } | { problem: string }> {
  try {
    const stats = await stat(path)
    if (!stats.isFile()) return { problem: 'is not a file' }
    if (stats.size > maxBytes) return { problem: `has ${stats.size} bytes; the limit is ${maxBytes}` }
    return { bytes: await readFile(path) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { problem: `cannot be read (${code ?? 'unreadable'}); check the path` }
  }
}

/**
 * Parses the text of a course file, which is YAML, and therefore may be JSON. Faults name keys and rules, never values.
 * Pure.
 */
export function parseCourseFile(text: string): { file: CourseFile } | { faults: CourseFault[] } {
  const read = readYaml(text)
  if ('fault' in read) return { faults: [{ where: 'the file', sentence: read.fault }] }
  const result = courseFileSchema.safeParse(read.value)
  if (result.success) return { file: result.data }
  return { faults: result.error.issues.flatMap(faultsOfIssue) }
}

function faultsOfIssue(issue: z.core.$ZodIssue): CourseFault[] {
  const where = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') return issue.keys.map(unknownKey)
  if (where === '')
    return [{ where: 'the file', sentence: 'is not a list of keys and values, such as `name: Welding`' }]
  return faultsOf(issue)
}

/** Suggests the right key to a user who wrote the service's name of the field or misspelled a key. */
function unknownKey(key: string): CourseFault {
  if (Object.hasOwn(courseFields, key) && keyOf(key as CourseFieldName) !== key)
    return { where: key, sentence: `is called ${keyOf(key as CourseFieldName)} in a course file` }
  const meant = nearestName(key, courseKeys)
  return { where: key, sentence: `is not a key of a course${meant ? `; did you mean ${meant}?` : ''}` }
}

export interface CourseFault {
  /** The key in the file, such as `category`, or `the file`. */
  where: string
  sentence: string
}

/** Thrown if a course file cannot be used, before anything is sent. It lists every fault. */
export class CourseFileError extends Error {
  override readonly name = 'CourseFileError'
  readonly faults: readonly CourseFault[]

  constructor(path: string, faults: readonly CourseFault[]) {
    const lines = faults.map(({ where, sentence }) => `  - ${where}: ${sentence}`)
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
    super(
      `The course file ${path} has ${count}; nothing was sent (docs/courses.md shows every key):\n${lines.join('\n')}`,
    )
    this.faults = faults
  }
}
