// Reads a course file from disk, with the images that it names. Sends nothing.

import { readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { readImageKind } from '#src/files/tables/zip-source/image-kind.ts'
import type { CourseImage } from '#src/issuer/courses/course-fields.ts'
import { type CourseFault, CourseFileError } from './course-file-error.ts'
import type { CourseFile } from './course-file-schema.ts'
import { parseCourseFile } from './parse-course-file.ts'

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
