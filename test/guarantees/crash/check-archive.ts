// Checks an archive against the sandbox's record: it must contain one file for each credential, with the credential's
// number in it. Only reads.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestName } from '#src/extensions/certificates/manifest.ts'
import type { World } from '#test/support/world.ts'

/**
 * Returns the problems found in the world's archive, if its pipeline has one. Partial files left by a killed process
 * are ignored.
 */
export async function archiveProblemsOf({ app, settings, sandbox }: World): Promise<string[]> {
  const folder = settings.file.pipelines.spring?.archive?.to
  if (!folder) return []
  const files = (await readdir(folder)).filter((name) => !name.startsWith('.') && name !== manifestName)
  const fileNameOf = ({ credentialId }: { credentialId: string | null }) => `${credentialId}.pdf`
  const everIssued = sandbox.requests().map(fileNameOf)
  // A credential that was revoked before it was downloaded is no longer downloaded.
  const expected = sandbox
    .requests()
    .filter(({ revokedAt }) => !revokedAt)
    .map(fileNameOf)
  const faults = [
    ...expected.filter((name) => !files.includes(name)).map((name) => `not archived: ${name}`),
    ...files.filter((name) => !everIssued.includes(name)).map((name) => `archived and not issued: ${name}`),
  ]
  for (const name of files) {
    const text = await readFile(join(folder, name), 'latin1')
    if (!text.startsWith('%PDF') || !text.includes(name.slice(0, -4))) faults.push(`archived wrongly: ${name}`)
  }
  const manifestLines = (await readFile(join(folder, manifestName), 'utf8')).trimEnd().split('\n')
  if (manifestLines.length !== files.length)
    faults.push(`${manifestLines.length} lines on the list for ${files.length} certificates`)
  const [status] = await app.ledger.archives.statuses()
  if (status?.archived !== files.length || status.waiting !== 0)
    faults.push(`the ledger counts ${status?.archived} archived and ${status?.waiting} waiting, of ${files.length}`)
  return faults
}
