// Two things come in the same old container: workbooks of the time before .xlsx, and new ones locked by a password.

import type { ByteSource } from './byte-source.ts'
import type { Refuse, SourceError } from './source-error.ts'

// The container lists its streams by name, in UTF-16. Where the list lies differs by writer, so all of the file is looked
// through: that is one pass without parsing.
const locked = Buffer.from('EncryptedPackage', 'utf16le')
const old = ['Workbook', 'Book'].map((name) => Buffer.from(`${name}\0`, 'utf16le'))

/** Gives the refusal that fits what is inside the container. */
export async function refuseCompound(bytes: ByteSource, refuse: Refuse): Promise<SourceError> {
  let isOld = false
  let tail = Buffer.alloc(0)
  for await (const chunk of bytes.stream() as AsyncIterable<Buffer>) {
    const window = Buffer.concat([tail, chunk])
    if (window.includes(locked)) {
      return refuse(
        'old-or-protected-workbook',
        'The workbook is protected by a password. Save it without one; who may read the file is decided by where it lies.',
      )
    }
    isOld ||= old.some((name) => window.includes(name))
    tail = Buffer.from(window.subarray(-locked.length))
  }
  if (isOld) {
    return refuse('old-or-protected-workbook', 'The workbook is in the old .xls format. Save it as .xlsx or CSV.')
  }
  return refuse(
    'old-or-protected-workbook',
    'The file is a workbook in the old .xls format or one protected by a password. Save it as .xlsx without a password.',
  )
}
