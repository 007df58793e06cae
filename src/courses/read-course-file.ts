// A course file from the disk: its keys and values, and the bytes of the images that it names.

import { readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { CourseImage } from '#src/issuer/course-fields.ts'
import { readImageKind } from '#src/sources/archive/image-kind.ts'
import { type CourseFault, CourseFileError } from './course-file-error.ts'
import type { CourseFile } from './course-file-schema.ts'
import { parseCourseFile } from './parse-course-file.ts'

/** Bytes. A description may hold HTML; a picture in it as text would still fit. */
const mostOfFile = 4 * 2 ** 20
/** Bytes. The service names formats and no size, and answers 413 to what it finds too large; this only keeps a wrong file out of memory. */
const mostOfImage = 20 * 2 ** 20

export interface ReadCourseFile {
  path: string
  file: CourseFile
  images: Partial<Record<'image' | 'certificateImage', CourseImage>>
}

/**
 * @param path absolute, or from the working directory; images in it are relative to its folder
 * @throws CourseFileError with every fault of the file and its images
 */
export async function readCourseFile(path: string): Promise<ReadCourseFile> {
  const bytes = await readAtMost(path, mostOfFile)
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

/** What its content says it is, whatever its name. */
async function readImage(path: string): Promise<CourseImage | { problem: string }> {
  const read = await readAtMost(path, mostOfImage)
  if ('problem' in read) return { problem: `names ${path}, which ${read.problem}` }
  const kind = readImageKind(read.bytes)
  if (!kind) return { problem: `names ${path}, which is no whole jpg, jpeg or png image` }
  return { bytes: read.bytes, contentType: kind === 'png' ? 'image/png' : 'image/jpeg' }
}

async function readAtMost(path: string, most: number): Promise<{ bytes: Buffer } | { problem: string }> {
  try {
    const about = await stat(path)
    if (!about.isFile()) return { problem: 'is no file' }
    if (about.size > most) return { problem: `has ${about.size} bytes; at most ${most} are read` }
    return { bytes: await readFile(path) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { problem: `cannot be read (${code ?? 'unreadable'}); check the path` }
  }
}
