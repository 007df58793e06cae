// Collects the images of a ZIP. Each image is read once to check its content, and again when it is needed.

import type { SourceImage, SourceImages } from '#src/files/tables/source.ts'
import { type Refuse, toRefusal } from '#src/files/tables/source-error.ts'
import type { TableReading } from '#src/files/tables/source-limits.ts'
import { foldName } from '#src/files/tables/zip/check-entries.ts'
import { bytesOfName } from '#src/files/tables/zip/entry-name.ts'
import type { OpenZip, ZipEntry } from '#src/files/tables/zip/open-zip.ts'
import { safeName } from '#src/platform/text.ts'
import { readImageKind } from './image-kind.ts'
import { baseName, type SortedEntries } from './sort-entries.ts'

interface GatheredImages {
  images: SourceImages
  notices: string[]
}

/**
 * Returns the images whose content is of the type that their names say. The others are left out, with a notice.
 * @throws SourceError for two images of the same name, an image above the limit, and a damaged image
 */
export async function gatherImages(
  zip: OpenZip,
  named: SortedEntries['images'],
  { limits, refuse }: TableReading,
): Promise<GatheredImages> {
  const byName = new Map<string, ZipEntry>()
  for (const { entry, name } of named) {
    // Rows refer to images without folders and regardless of case, so it would be unclear which of the two images is
    // meant.
    if (byName.has(foldName(name))) {
      const sentence = `Two images in the ZIP are called ${listNames([name])}, apart from folders and case. Rename one of them.`
      throw refuse('archive', sentence)
    }
    byName.set(foldName(name), entry)
    if (entry.uncompressedSize > limits.imageBytes) {
      const sentence = `The image ${listNames([name])} has ${entry.uncompressedSize} bytes; the limit is ${limits.imageBytes}. Make the image smaller.`
      throw refuse('limit', sentence)
    }
  }
  const list: SourceImage[] = []
  const mismatched: string[] = []
  for (const { entry, name, kind } of named) {
    const bytes = await readEntry(zip, entry, refuse)
    const nameBytes = bytesOfName(entry)
    if (readImageKind(bytes) === kind)
      list.push({ name, ...(nameBytes && { nameBytes: baseName(nameBytes) }), kind, bytes: bytes.length })
    else {
      mismatched.push(name)
      byName.delete(foldName(name))
    }
  }
  const read = async (name: string) => {
    const entry = byName.get(foldName(name))
    if (entry) return readEntry(zip, entry, refuse)
    throw refuse('archive', 'The ZIP contains no image of this name. Look for it in the list of its images.')
  }
  return { images: { list, read }, notices: mismatched.length > 0 ? [noticeOf(mismatched)] : [] }
}

/** Reads an entry whose declared size has already been checked against a limit. @throws SourceError */
export async function readEntry(zip: OpenZip, entry: ZipEntry, refuse: Refuse): Promise<Buffer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of zip.read(entry)) chunks.push(chunk)
  } catch (error) {
    const name = listNames([entry.fileName])
    throw toRefusal(error, refuse, 'damaged', `The file ${name} in the ZIP is damaged. Pack the ZIP again.`)
  }
  return Buffer.concat(chunks)
}

function noticeOf(mismatched: string[]): string {
  const [are, they] =
    mismatched.length === 1 ? ['1 image is', 'it was'] : [`${mismatched.length} images are`, 'they were']
  return `${are} not what the name says, or cut off, and ${they} left out: ${listNames(mismatched)}. Save as JPEG or PNG and pack the ZIP again.`
}

const maxNames = 5
const maxLength = 60

/**
 * Lists names of files inside a ZIP for messages, for example `“a.png”, “b.png” and 3 more`: at most five names, each
 * cut to 60 characters. The names are untrusted, so they are made safe. They may name people, so they are in the
 * quotation marks by which notices find what they must not contain.
 */
export function listNames(names: readonly string[]): string {
  const words = names.slice(0, maxNames).map((name) => `“${safeName(name.replace(/[“”]/g, '?'), maxLength)}”`)
  if (names.length > maxNames) return `${words.join(', ')} and ${names.length - maxNames} more`
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? '')
}
