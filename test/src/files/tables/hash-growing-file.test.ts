// Hashing a file that is still growing, because the program that writes it has it open.

import { createHash } from 'node:crypto'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSourceFile } from '#src/files/tables/source-file.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('a file that grew after it was opened is hashed up to one byte beyond its former size, so that its hash differs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-growing-'))
  try {
    const path = join(folder, 'list.csv')
    const content = 'e_mail\nada@example.org\n'
    await writeFile(path, content)
    await using file = await openSourceFile(path, 'refused')
    expect(await file.sha256()).toBe(sha256(content))
    await using writer = await open(path, 'r+')
    // Because it is sparse, the file is a terabyte long immediately. Reading all of it would take 15 minutes.
    await writer.truncate(2 ** 40)
    expect(await file.sha256()).toBe(sha256(`${content}\0`))
  } finally {
    await rm(folder, { recursive: true })
  }
})
