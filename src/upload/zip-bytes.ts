// Files as a ZIP in memory. The same files give the same bytes: their dates are fixed.

import JSZip from 'jszip'

/** The first day that a ZIP can write. */
export const noDay = new Date('1980-01-01T00:00:00Z')

/** In the order of `files`. Images are packed already, so by default nothing is packed again. */
export function zipBytes(files: Iterable<readonly [name: string, bytes: Buffer]>, packed = false): Promise<Buffer> {
  const zip = new JSZip()
  for (const [name, bytes] of files) zip.file(name, bytes, { date: noDay, createFolders: false })
  return zip.generateAsync({ type: 'nodebuffer', compression: packed ? 'DEFLATE' : 'STORE' })
}

/** The ZIP `bytes`, ours and whole, with its files in the order of their names and dated alike. */
export async function redated(bytes: Buffer): Promise<Buffer> {
  const zip = await JSZip.loadAsync(bytes)
  const files: [string, Buffer][] = []
  for (const name of Object.keys(zip.files).toSorted()) {
    const content = await zip.file(name)?.async('nodebuffer')
    if (content) files.push([name, content])
  }
  return zipBytes(files, true)
}
