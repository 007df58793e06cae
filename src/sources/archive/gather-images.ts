// The images of a ZIP: each is read once to see that it is one, and again when somebody wants it.

import type { SourceImage, SourceImages } from '#src/sources/source.ts'
import { asRefusal, type Refuse } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import { foldName } from '#src/sources/zip/check-entries.ts'
import type { OpenZip, ZipEntry } from '#src/sources/zip/open-zip.ts'
import { readImageKind } from './image-kind.ts'
import { listNames } from './list-names.ts'
import type { Sorted } from './sort-entries.ts'

interface Gathered {
  images: SourceImages
  notices: string[]
}

/**
 * Gives the images that are what their names say; the others are left out, with a notice. Throws SourceError for two of
 * one name, one above the limit, and one that is damaged.
 */
export async function gatherImages(
  zip: OpenZip,
  named: Sorted<ZipEntry>['images'],
  limits: SourceLimits,
  refuse: Refuse,
): Promise<Gathered> {
  const byName = new Map<string, ZipEntry>()
  for (const { entry, name } of named) {
    // Rows name images without folders and regardless of case: which of the two is the person's?
    if (byName.has(foldName(name))) {
      const sentence = `Two images in the ZIP are called ${listNames([name])}, folders and case aside. Rename one of them.`
      throw refuse('archive', sentence)
    }
    byName.set(foldName(name), entry)
    if (entry.uncompressedSize > limits.imageBytes) {
      const sentence = `The image ${listNames([name])} has ${entry.uncompressedSize} bytes; the limit is ${limits.imageBytes}. Make it smaller.`
      throw refuse('limit', sentence)
    }
  }
  const list: SourceImage[] = []
  const wrong: string[] = []
  for (const { entry, name, kind } of named) {
    const bytes = await readWhole(zip, entry, refuse)
    if (readImageKind(bytes) === kind) list.push({ name, kind, bytes: bytes.length })
    else {
      wrong.push(name)
      byName.delete(foldName(name))
    }
  }
  const read = async (name: string) => {
    const entry = byName.get(foldName(name))
    if (entry) return readWhole(zip, entry, refuse)
    throw refuse('archive', 'The ZIP holds no image of this name. Look for it in the list of its images.')
  }
  return { images: { list, read }, notices: wrong.length > 0 ? [noticeOf(wrong)] : [] }
}

/** All bytes of `entry`, whose declared size was held against a limit before. Throws SourceError. */
export async function readWhole(zip: OpenZip, entry: ZipEntry, refuse: Refuse): Promise<Buffer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of zip.read(entry)) chunks.push(chunk)
  } catch (error) {
    const name = listNames([entry.fileName])
    throw asRefusal(error, refuse, 'damaged', `The file ${name} in the ZIP is damaged. Pack the ZIP anew.`)
  }
  return Buffer.concat(chunks)
}

function noticeOf(wrong: string[]): string {
  const [are, they] = wrong.length === 1 ? ['1 image is', 'it was'] : [`${wrong.length} images are`, 'they were']
  return `${are} not what the name says, or cut off, and ${they} left out: ${listNames(wrong)}. Save as JPEG or PNG and pack the ZIP anew.`
}
