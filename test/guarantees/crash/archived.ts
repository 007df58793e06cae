// What an archive should hold, by the sandbox's book: a file for each credential, with its number in it, once.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestName } from '#src/downloads/manifest.ts'
import type { World } from '#test/support/world.ts'

/** What is wrong with the archive of the world, if its pipeline has one. Parts that a killed process left behind are no files. */
export async function archiveFaults({ app, settings, sandbox }: World): Promise<string[]> {
  const folder = settings.file.pipelines.spring?.archive?.to
  if (!folder) return []
  const files = (await readdir(folder)).filter((name) => !name.startsWith('.') && name !== manifestName)
  const named = ({ credentialId }: { credentialId: string | null }) => `${credentialId}.pdf`
  const known = sandbox.requests().map(named)
  // One that was revoked first is not fetched any more.
  const expected = sandbox
    .requests()
    .filter(({ revokedAt }) => !revokedAt)
    .map(named)
  const faults = [
    ...expected.filter((name) => !files.includes(name)).map((name) => `not archived: ${name}`),
    ...files.filter((name) => !known.includes(name)).map((name) => `archived and not issued: ${name}`),
  ]
  for (const name of files) {
    const text = await readFile(join(folder, name), 'latin1')
    if (!text.startsWith('%PDF') || !text.includes(name.slice(0, -4))) faults.push(`archived wrongly: ${name}`)
  }
  const list = (await readFile(join(folder, manifestName), 'utf8')).trimEnd().split('\n')
  if (list.length !== files.length) faults.push(`${list.length} lines on the list for ${files.length} certificates`)
  const [standing] = await app.ledger.archives.standings()
  if (standing?.archived !== files.length || standing.waiting !== 0)
    faults.push(`the ledger counts ${standing?.archived} archived and ${standing?.waiting} waiting, of ${files.length}`)
  return faults
}
