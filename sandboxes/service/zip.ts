// Reads and writes the sandbox's ZIP files, independently of the client, so that the two sides cannot share an error.
// Pure.

import JSZip from 'jszip'
import { SandboxRefusal } from './refusal.ts'

export type Files = ReadonlyMap<string, Buffer>

/**
 * Returns the files by name, without folders.
 * @throws SandboxRefusal 400
 */
export async function unzip(bytes: Buffer): Promise<Files> {
  try {
    const zip = await JSZip.loadAsync(bytes)
    const files = new Map<string, Buffer>()
    for (const entry of Object.values(zip.files)) if (!entry.dir) files.set(entry.name, await entry.async('nodebuffer'))
    return files
  } catch {
    throw new SandboxRefusal(400, 'Bad request: the file is neither an Excel sheet nor a zip that can be read.')
  }
}

export function zipped(files: Files): Promise<Buffer> {
  const zip = new JSZip()
  for (const [name, bytes] of files) zip.file(name, bytes)
  return zip.generateAsync({ type: 'nodebuffer' })
}
