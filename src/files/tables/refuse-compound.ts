// Refuses OLE compound files, the container of old workbooks (.xls) and of new ones that are encrypted.

import type { ByteSource } from './byte-source.ts'
import type { Refuse, SourceError } from './source-error.ts'

// The container lists its streams by name, in UTF-16. The position of the list depends on the writing program, so the
// whole file is searched, in one pass without parsing.
const encryptedMark = Buffer.from('EncryptedPackage', 'utf16le')
// A file that is encrypted because of its label has both.
const labelMark = Buffer.from('DRMEncrypted', 'utf16le')
const oldFormatMarks = ['Workbook', 'Book'].map((name) => Buffer.from(`${name}\0`, 'utf16le'))

/** Reads the file, and returns the error for what the container holds. */
export async function refuseCompound(bytes: ByteSource, refuse: Refuse): Promise<SourceError> {
  let isOld = false
  let isEncrypted = false
  let tail = Buffer.alloc(0)
  for await (const chunk of bytes.stream() as AsyncIterable<Buffer>) {
    const window = Buffer.concat([tail, chunk])
    if (window.includes(labelMark)) {
      return refuse(
        'old-or-protected-workbook',
        'The workbook has a sensitivity label that encrypts it. Choose a label without encryption, or export the table as CSV.',
      )
    }
    isEncrypted ||= window.includes(encryptedMark)
    isOld ||= oldFormatMarks.some((name) => window.includes(name))
    tail = Buffer.from(window.subarray(-encryptedMark.length))
  }
  if (isEncrypted) {
    return refuse(
      'old-or-protected-workbook',
      'The workbook is protected by a password. Save it without one; to restrict who may read the file, use the permissions of its folder.',
    )
  }
  if (isOld) {
    return refuse('old-or-protected-workbook', 'The workbook is in the old .xls format. Save it as .xlsx or CSV.')
  }
  return refuse(
    'old-or-protected-workbook',
    'The file is a workbook in the old .xls format or one protected by a password. Save it as .xlsx without a password.',
  )
}
