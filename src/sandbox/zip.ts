// ZIPs as the sandbox reads and writes them: by itself, like its workbooks.

import JSZip from 'jszip'
import { Refusal } from './refusal.ts'

export type Files = ReadonlyMap<string, Buffer>

/** The files by their names, folders left out. @throws Refusal 400 */
export async function unzip(bytes: Buffer): Promise<Files> {
  try {
    const zip = await JSZip.loadAsync(bytes)
    const files = new Map<string, Buffer>()
    for (const entry of Object.values(zip.files)) if (!entry.dir) files.set(entry.name, await entry.async('nodebuffer'))
    return files
  } catch {
    throw new Refusal(400, 'Bad request: the file is neither an Excel sheet nor a zip that can be read.')
  }
}

export function zipped(files: Files): Promise<Buffer> {
  const zip = new JSZip()
  for (const [name, bytes] of files) zip.file(name, bytes)
  return zip.generateAsync({ type: 'nodebuffer' })
}
