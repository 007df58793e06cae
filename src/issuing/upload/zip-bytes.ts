// Packs files into a ZIP in memory. The same files give the same bytes, because their dates are fixed.

/** The earliest date that a ZIP can store. */
export const fixedZipDate = new Date('1980-01-01T00:00:00Z')

/**
 * Keeps the order of `files`. By default, the files are not compressed, because images already are.
 * @param compressed whether to compress the files
 */
export async function zipBytes(
  files: Iterable<readonly [name: string, bytes: Buffer]>,
  compressed = false,
): Promise<Buffer> {
  const JSZip = await loadJsZip()
  const zip = new JSZip()
  for (const [name, bytes] of files) zip.file(name, bytes, { date: fixedZipDate, createFolders: false })
  return zip.generateAsync({ type: 'nodebuffer', compression: compressed ? 'DEFLATE' : 'STORE' })
}

/** Rewrites a ZIP that credsync created, with its files sorted by name and all dates fixed. */
export async function withFixedDates(bytes: Buffer): Promise<Buffer> {
  const JSZip = await loadJsZip()
  const zip = await JSZip.loadAsync(bytes)
  const files: [string, Buffer][] = []
  for (const name of Object.keys(zip.files).toSorted()) {
    const content = await zip.file(name)?.async('nodebuffer')
    if (content) files.push([name, content])
  }
  return zipBytes(files, true)
}

/** Loads the library only when a file is uploaded, because most workers never upload one. */
async function loadJsZip() {
  return (await import('jszip')).default
}
