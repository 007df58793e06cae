// Stores recipients' images in the database together with the rows that need them, reads them for a batch, and deletes
// them once none of their rows can be sent any more.

import { createHash } from 'node:crypto'
import type { Database, Sql } from '#src/platform/database/database.ts'

export interface StoredImage {
  type: 'jpg' | 'png'
  bytes: Buffer
}

/** Reads an image of a source by its name. */
export type ReadImage = (name: string) => Promise<StoredImage>

// Held in shared mode while images are stored, and exclusively while they are deleted, because an image must not be
// deleted between its own insertion and that of its row.
const lock = `hashtextextended('credsync:images', 0)`

/**
 * Stores images for rows that are staged in the same transaction. Only one image is in memory at a time.
 * @returns the SHA-256 of each image, by its name
 */
export async function storeImages(sql: Sql, names: Iterable<string>, read: ReadImage): Promise<Map<string, Buffer>> {
  await sql.query(`SELECT pg_advisory_xact_lock_shared(${lock})`)
  const hashes = new Map<string, Buffer>()
  for (const name of names) {
    const { bytes, type } = await read(name)
    const sha256 = createHash('sha256').update(bytes).digest()
    const insert = 'INSERT INTO image (sha256, bytes, type) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING'
    await sql.query(insert, [sha256, bytes, type])
    hashes.set(name, sha256)
  }
  return hashes
}

export function imageStore(db: Sql) {
  return {
    /** Returns the images with these hashes (in hexadecimal), by hash. Deleted images are left out. */
    async read(hashes: readonly string[]): Promise<ReadonlyMap<string, StoredImage>> {
      const { rows } = await db.query<StoredImage & { hash: string }>(
        `SELECT encode(sha256, 'hex') AS hash, type, bytes FROM image WHERE sha256 = ANY($1)`,
        [[...new Set(hashes)].map((hash) => Buffer.from(hash, 'hex'))],
      )
      return new Map(rows.map(({ hash, type, bytes }) => [hash, { type, bytes }]))
    },
  }
}

/**
 * Deletes every image that no row needs: no staged row has it, and all rows accepted with it are issued, rejected or
 * revoked. The image of a failed or held row is kept, because an operator may still send the row; for a failed row, the
 * images of later lists are kept as well. Does nothing while images are being stored, because it is called again when
 * the run that stores them ends.
 * @returns how many were deleted
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
