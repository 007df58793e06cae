// Inserts adopted report items as issuances with their report claims, and records surplus items. Writes to the database
// within the caller's transaction.

import type { State } from '#src/domain/credential/state.ts'
import { requestResultsFor } from '#src/ledger/runs/write-backs.ts'
import { bytesArray, intArray, jsonArray } from '#src/platform/database/binary-array.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { noteSurplus, type ReportFields } from './report-items.ts'

export interface AdoptedItem {
  /** `requested`, `in_progress`, `issued` or `revoked`. */
  state: State
  /** The key of the report item. */
  key: string
  fingerprint: string
  /** YYYY-MM-DD or null. */
  requestDate: string | null
  fields: ReportFields
  recipient: Readonly<Record<string, string>>
  issuanceKey: Buffer
  identityHash: Buffer
  matchHashes: readonly Buffer[]
}

export interface AdoptingRun {
  environment: string
  course: string
  pipeline: string
  certificateName: string
  run: string
  /** The number of rows that the run already has. */
  rows: number
}

export const adoptedEvent = 'adopted from the report'

/**
 * Inserts items as issuances of an adoption's run, with their claims, matches and rows.
 * @throws AdoptionOvertakenError if one of the items or keys has been claimed in the meantime
 */
export async function insertAdopted(sql: Sql, adoption: AdoptingRun, items: readonly AdoptedItem[]): Promise<void> {
  const rowNumbers = items.map((_, index) => adoption.rows + index + 1)
  const inserted = await sql.query<{ id: number; row: number }>(
    `INSERT INTO issuance (environment, course_uuid, run_id, pipeline, adopted_as, row_number, issuance_key, identity_hash, recipient, state, event, evidence,
       first_sent_at, last_sent_at, report_status, entity_uuid, credential_id, verifier_link, issue_date, valid_till, revoked_date, report_seen_at)
     SELECT $1, $2, $3, $4, $5, n.row_number, n.issuance_key, n.identity_hash, n.recipient, n.item->>'state', '${adoptedEvent}', n.item->'evidence',
            -- The day of its request: the report is read back to this day until the item is final.
            asked.at, asked.at, f->>'reportStatus', f->>'entityUuid', f->>'credentialId', f->>'verifierLink', f->>'issueDate', f->>'validTill', f->>'revokedDate', clock_timestamp()
     FROM unnest($6::int[], $7::bytea[], $8::bytea[], $9::jsonb[], $10::jsonb[]) AS n(row_number, issuance_key, identity_hash, recipient, item)
     CROSS JOIN LATERAL (SELECT n.item->'fields' AS f) fields
     CROSS JOIN LATERAL (SELECT least(clock_timestamp(), (n.item->>'requestDate')::date::timestamp AT TIME ZONE 'UTC') AS at) asked
     ORDER BY n.row_number
     ON CONFLICT (environment, course_uuid, issuance_key) DO NOTHING RETURNING id, row_number AS row`,
    [
      adoption.environment,
      adoption.course,
      adoption.run,
      adoption.pipeline,
      adoption.certificateName,
      intArray(rowNumbers),
      bytesArray(items.map((item) => item.issuanceKey)),
      bytesArray(items.map((item) => item.identityHash)),
      jsonArray(items.map((item) => JSON.stringify(item.recipient))),
      jsonArray(items.map((item) => JSON.stringify(storedItem(item, adoption.run)))),
    ],
  )
  if (inserted.rows.length < items.length) throw new AdoptionOvertakenError()
  const insertedItems = inserted.rows.map(({ id, row }) => ({
    id,
    row,
    item: items[row - adoption.rows - 1] as AdoptedItem,
  }))
  await claimAdoptedItems(sql, adoption.environment, insertedItems)
  await insertMatches(sql, insertedItems)
  await insertRows(sql, adoption, insertedItems)
}

type InsertedItem = { id: number; row: number; item: AdoptedItem }

/**
 * Returns the item as recorded in the history. It contains only ids and labels, because the history outlives the
 * personal data. Pure.
 */
export function evidenceOf({ key, fields, requestDate }: AdoptedItem): object {
  return { label: fields.reportStatus, item: key, credential: fields.credentialId, requestDate }
}

function storedItem(item: AdoptedItem, run: string): object {
  const { state, requestDate, fields } = item
  return { state, requestDate, fields, evidence: { ...evidenceOf(item), run } }
}

export async function claimAdoptedItems(
  sql: Sql,
  environment: string,
  claims: readonly { id: number; item: AdoptedItem }[],
): Promise<void> {
  const claimed = await sql.query(
    `INSERT INTO report_claim (environment, issuance_id, item_key, fingerprint) SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[]) ON CONFLICT DO NOTHING`,
    [
      environment,
      claims.map(({ id }) => id),
      claims.map(({ item }) => item.key),
      claims.map(({ item }) => item.fingerprint),
    ],
  )
  if (claimed.rowCount < claims.length) throw new AdoptionOvertakenError()
}

async function insertMatches(sql: Sql, insertedItems: readonly InsertedItem[]): Promise<void> {
  const pairs = insertedItems.flatMap(({ id, item }) => item.matchHashes.map((hash) => ({ id, hash })))
  await sql.query(
    'INSERT INTO issuance_match (hash, issuance_id) SELECT DISTINCT hash, id FROM unnest($1::bytea[], $2::bigint[]) AS m(hash, id)',
    [bytesArray(pairs.map(({ hash }) => hash)), pairs.map(({ id }) => id)],
  )
}

/**
 * Adds the items to the rows of the run. A field that no earlier item had is appended to the run's header; earlier rows
 * have fewer cells, and the missing ones count as empty.
 */
async function insertRows(sql: Sql, adoption: AdoptingRun, insertedItems: readonly InsertedItem[]): Promise<void> {
  const { rows } = await sql.query<{ header: string[] }>('SELECT header FROM run WHERE id = $1', [adoption.run])
  const header = [
    ...new Set([...(rows[0]?.header ?? []), ...insertedItems.flatMap(({ item }) => Object.keys(item.recipient))]),
  ]
  await sql.query(
    `INSERT INTO run_row (run_id, row_number, outcome, cells, issuance_id) SELECT $1, r.row_number, 'accepted', r.cells, r.id FROM unnest($2::int[], $3::jsonb[], $4::bigint[]) AS r(row_number, cells, id)`,
    [
      adoption.run,
      intArray(insertedItems.map(({ row }) => row)),
      jsonArray(insertedItems.map(({ item }) => JSON.stringify(header.map((name) => item.recipient[name] ?? '')))),
      insertedItems.map(({ id }) => id),
    ],
  )
  await sql.query(
    'UPDATE run SET rows = rows + $2, accepted = accepted + $2, read_rows = read_rows + $2, header = $3, settled_at = NULL WHERE id = $1',
    [adoption.run, insertedItems.length, JSON.stringify(header)],
  )
}

/**
 * Records items of an issuance beyond its own. Those with `countsAsSurplus` are counted and reported. The others are
 * only recorded, so that they are known later.
 */
export async function recordExtraItems(
  sql: Sql,
  environment: string,
  course: string,
  extraItems: readonly { issuanceKey: string; key: string; fingerprint: string; countsAsSurplus: boolean }[],
): Promise<void> {
  if (extraItems.length === 0) return
  const { rows } = await sql.query<{ id: number; at: number }>(
    `SELECT i.id, n.at::int AS at FROM unnest($3::text[]) WITH ORDINALITY n(issuance_key, at)
     JOIN issuance i ON i.environment = $1 AND i.course_uuid = $2 AND i.issuance_key = decode(n.issuance_key, 'hex')`,
    [environment, course, extraItems.map((extraItem) => extraItem.issuanceKey)],
  )
  const ownedItems = rows.map(({ id, at }) => ({
    ...(extraItems[at - 1] as (typeof extraItems)[number]),
    issuanceId: id,
  }))
  const uncountedItems = ownedItems.filter((ownedItem) => !ownedItem.countsAsSurplus)
  await sql.query(
    'INSERT INTO surplus_item (environment, item_key, issuance_id) SELECT $1, * FROM unnest($2::text[], $3::bigint[]) ON CONFLICT DO NOTHING',
    [
      environment,
      uncountedItems.map((uncountedItem) => uncountedItem.key),
      uncountedItems.map((uncountedItem) => uncountedItem.issuanceId),
    ],
  )
  const changed = await noteSurplus(
    sql,
    environment,
    ownedItems.filter((ownedItem) => ownedItem.countsAsSurplus),
  )
  await requestResultsFor(sql, changed)
}

/**
 * Updates the number of surplus items of failed rows. A surplus item prevents a failed row from being sent again only
 * while the item is valid, so revoked items are no longer counted.
 * @param rows the rows, each with the number of its surplus items that a complete scan of the report now shows as valid
 */
export async function recountSurplus(
  sql: Sql,
  environment: string,
  course: string,
  rows: readonly { issuanceKey: string; surplus: number }[],
): Promise<void> {
  if (rows.length === 0) return
  await sql.query(
    `UPDATE issuance i SET surplus_items = n.surplus FROM unnest($3::text[], $4::int[]) n(issuance_key, surplus)
     WHERE i.environment = $1 AND i.course_uuid = $2 AND i.issuance_key = decode(n.issuance_key, 'hex') AND i.state = 'failed' AND i.surplus_items <> n.surplus`,
    [environment, course, rows.map((row) => row.issuanceKey), rows.map((row) => row.surplus)],
  )
}

/**
 * Thrown if another process has claimed an item or changed a row between reading and writing. Nothing of the batch was
 * written, so the decisions can be made again.
 */
export class AdoptionOvertakenError extends Error {
  override readonly name = 'AdoptionOvertakenError'
  constructor() {
    super(
      'Another process read the report in the meantime. Run `credsync adopt` again: the adoption continues where it stopped.',
    )
  }
}
