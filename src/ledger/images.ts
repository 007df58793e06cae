// Images of recipients: stored with the rows that need them, handed out for a batch, and removed when no row of theirs can be sent any more.

import { createHash } from 'node:crypto'
import type { Database, Sql } from '#src/database/database.ts'
import { type StagedRow, stageRows } from './intake.ts'

export interface StoredImage {
  type: 'jpg' | 'png'
  bytes: Buffer
}

/** Reads an image of the source by its name. */
export type ReadImage = (name: string) => Promise<StoredImage>

// Storing shares this lock and removing has it alone: an image must not vanish between its own insertion and that of its row.
const lock = `hashtextextended('credsync:images', 0)`

/**
 * Stages rows, and stores the images that they name in the same transaction. One image is in memory at a time.
 * @throws when a row names an image and there is no `read`: a recipient is never sent without the image that belongs to them
 */
export async function stageWithImages(
  database: Database,
  runId: string,
  rows: readonly StagedRow[],
  read?: ReadImage,
): Promise<void> {
  const names = new Set(rows.flatMap(({ image }) => (image ? [image] : [])))
  if (names.size === 0) return stageRows(database, runId, rows)
  if (!read) throw new Error(`Rows of the run ${runId} name images, and nothing reads them.`)
  await database.transaction(async (sql) => {
    await sql.query(`SELECT pg_advisory_xact_lock_shared(${lock})`)
    const hashes = new Map<string, Buffer>()
    for (const name of names) hashes.set(name, await storeImage(sql, await read(name)))
    await stageRows(sql, runId, rows, hashes)
  })
}

async function storeImage(sql: Sql, { bytes, type }: StoredImage): Promise<Buffer> {
  const sha256 = createHash('sha256').update(bytes).digest()
  await sql.query('INSERT INTO image (sha256, bytes, type) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
    sha256,
    bytes,
    type,
  ])
  return sha256
}

/** The images with these hashes (hex), by hash. One that is gone is left out. */
export async function readImages(sql: Sql, hashes: readonly string[]): Promise<ReadonlyMap<string, StoredImage>> {
  const { rows } = await sql.query<StoredImage & { hash: string }>(
    `SELECT encode(sha256, 'hex') AS hash, type, bytes FROM image WHERE sha256 = ANY($1)`,
    [[...new Set(hashes)].map((hash) => Buffer.from(hash, 'hex'))],
  )
  return new Map(rows.map(({ hash, type, bytes }) => [hash, { type, bytes }]))
}

/**
 * Removes every image that no row needs: none is staged with it, and all that were accepted with it are issued, rejected or revoked.
 * A failed or held row keeps its image, because a person may still send it, and a failed one that which a later list gives it. While images are being stored nothing is removed: the run that
 * they are stored for comes to its own end, and asks again.
 * @returns how many were removed
 */
export async function removeImages(database: Database): Promise<number> {
  return database.transaction(async (sql) => {
    const { rows } = await sql.query<{ alone: boolean }>(`SELECT pg_try_advisory_xact_lock(${lock}) AS alone`)
    if (!rows[0]?.alone) return 0
    const { rowCount } = await sql.query(
      `DELETE FROM image WHERE NOT EXISTS (SELECT FROM staged_row s WHERE s.image_sha256 = image.sha256)
         AND NOT EXISTS (SELECT FROM issuance i WHERE i.image_sha256 = image.sha256 AND i.state NOT IN ('issued', 'rejected', 'revoked'))
         AND NOT EXISTS (SELECT FROM run_row r JOIN issuance i ON i.id = r.issuance_id WHERE r.image_sha256 = image.sha256 AND i.state = 'failed' AND i.credential_id IS NULL)`,
    )
    return rowCount
  })
}
