// Items of the report that become issuances, each with its claim, and those beside them; in the caller's transaction.

import { bytesArray, intArray, jsonArray } from '#src/database/binary-array.ts'
import type { Sql } from '#src/database/database.ts'
import type { State } from '#src/issuance/state.ts'
import { AdoptionOvertakenError } from './adoption-overtaken-error.ts'
import { noteSurplus, type ReportFields } from './report.ts'
import { wantResultsOf } from './write-backs.ts'

export interface AdoptedItem {
  /** requested, in_progress, issued or revoked. */
  state: State
  /** Of the report's item. */
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
  certificate: string
  run: string
  /** How many it has already. */
  rows: number
}

export const event = 'adopted from the report'

/** @throws AdoptionOvertakenError when one of the items, or one of the keys, is somebody's by now */
export async function insertAdopted(sql: Sql, of: AdoptingRun, items: readonly AdoptedItem[]): Promise<void> {
  const numbers = items.map((_, index) => of.rows + index + 1)
  const made = await sql.query<{ id: number; row: number }>(
    `INSERT INTO issuance (environment, course_uuid, run_id, pipeline, adopted_as, row_number, issuance_key, identity_hash, recipient, state, event, evidence,
       first_sent_at, last_sent_at, report_status, entity_uuid, credential_id, verifier_link, issue_date, valid_till, revoked_date, report_seen_at)
     SELECT $1, $2, $3, $4, $5, n.row_number, n.issuance_key, n.identity_hash, n.recipient, n.item->>'state', '${event}', n.item->'evidence',
            -- The day of its request: from there on the report is read for those that are not final.
            asked.at, asked.at, f->>'reportStatus', f->>'entityUuid', f->>'credentialId', f->>'verifierLink', f->>'issueDate', f->>'validTill', f->>'revokedDate', clock_timestamp()
     FROM unnest($6::int[], $7::bytea[], $8::bytea[], $9::jsonb[], $10::jsonb[]) AS n(row_number, issuance_key, identity_hash, recipient, item)
     CROSS JOIN LATERAL (SELECT n.item->'fields' AS f) fields
     CROSS JOIN LATERAL (SELECT least(clock_timestamp(), coalesce((n.item->>'requestDate')::date::timestamp AT TIME ZONE 'UTC', clock_timestamp())) AS at) asked
     ORDER BY n.row_number
     ON CONFLICT (environment, course_uuid, issuance_key) DO NOTHING RETURNING id, row_number AS row`,
    [
      of.environment,
      of.course,
      of.run,
      of.pipeline,
      of.certificate,
      intArray(numbers),
      bytesArray(items.map((each) => each.issuanceKey)),
      bytesArray(items.map((each) => each.identityHash)),
      jsonArray(items.map((each) => JSON.stringify(each.recipient))),
      jsonArray(items.map((each) => JSON.stringify(storedItem(each, of.run)))),
    ],
  )
  if (made.rows.length < items.length) throw new AdoptionOvertakenError()
  const placed = made.rows.map(({ id, row }) => ({ id, row, item: items[row - of.rows - 1] as AdoptedItem }))
  await claim(sql, of.environment, placed)
  await insertMatches(sql, placed)
  await insertRows(sql, of, placed)
}

type Placed = { id: number; row: number; item: AdoptedItem }

/** Ids and labels only: the history outlives the personal data. */
export function evidenceOf({ key, fields, requestDate }: AdoptedItem): object {
  return { label: fields.reportStatus, item: key, credential: fields.credentialId, requestDate }
}

function storedItem(item: AdoptedItem, run: string): object {
  const { state, requestDate, fields } = item
  return { state, requestDate, fields, evidence: { ...evidenceOf(item), run } }
}

export async function claim(
  sql: Sql,
  environment: string,
  placed: readonly { id: number; item: AdoptedItem }[],
): Promise<void> {
  const claimed = await sql.query(
    `INSERT INTO claim (environment, issuance_id, item_key, fingerprint) SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[]) ON CONFLICT DO NOTHING`,
    [
      environment,
      placed.map(({ id }) => id),
      placed.map(({ item }) => item.key),
      placed.map(({ item }) => item.fingerprint),
    ],
  )
  if (claimed.rowCount < placed.length) throw new AdoptionOvertakenError()
}

async function insertMatches(sql: Sql, placed: readonly Placed[]): Promise<void> {
  const pairs = placed.flatMap(({ id, item }) => item.matchHashes.map((hash) => ({ id, hash })))
  await sql.query(
    'INSERT INTO issuance_match (hash, issuance_id) SELECT DISTINCT hash, id FROM unnest($1::bytea[], $2::bigint[]) AS m(hash, id)',
    [bytesArray(pairs.map(({ hash }) => hash)), pairs.map(({ id }) => id)],
  )
}

/** The header grows by the fields that an item is the first to show; cells behind a row's last are empty. */
async function insertRows(sql: Sql, of: AdoptingRun, placed: readonly Placed[]): Promise<void> {
  const { rows } = await sql.query<{ header: string[] }>('SELECT header FROM run WHERE id = $1', [of.run])
  const header = [
    ...new Set([...(rows[0]?.header ?? []), ...placed.flatMap(({ item }) => Object.keys(item.recipient))]),
  ]
  await sql.query(
    `INSERT INTO run_row (run_id, row_number, outcome, cells, issuance_id) SELECT $1, r.row_number, 'accepted', r.cells, r.id FROM unnest($2::int[], $3::jsonb[], $4::bigint[]) AS r(row_number, cells, id)`,
    [
      of.run,
      intArray(placed.map(({ row }) => row)),
      jsonArray(placed.map(({ item }) => JSON.stringify(header.map((name) => item.recipient[name] ?? '')))),
      placed.map(({ id }) => id),
    ],
  )
  await sql.query(
    'UPDATE run SET rows = rows + $2, accepted = accepted + $2, read_rows = read_rows + $2, header = $3, settled_at = NULL WHERE id = $1',
    [of.run, placed.length, JSON.stringify(header)],
  )
}

/** Items beside the one that an issuance has: those that count as the ledger always counts them, and the others so that they are known. */
export async function keepSpare(
  sql: Sql,
  environment: string,
  course: string,
  spare: readonly { issuanceKey: string; key: string; fingerprint: string; counts: boolean }[],
): Promise<void> {
  if (spare.length === 0) return
  const { rows } = await sql.query<{ id: number; at: number }>(
    `SELECT i.id, n.at::int AS at FROM unnest($3::text[]) WITH ORDINALITY n(issuance_key, at)
     JOIN issuance i ON i.environment = $1 AND i.course_uuid = $2 AND i.issuance_key = decode(n.issuance_key, 'hex')`,
    [environment, course, spare.map((each) => each.issuanceKey)],
  )
  const owned = rows.map(({ id, at }) => ({ ...(spare[at - 1] as (typeof spare)[number]), issuanceId: id }))
  const silent = owned.filter((each) => !each.counts)
  await sql.query(
    'INSERT INTO surplus_item (environment, item_key, issuance_id) SELECT $1, * FROM unnest($2::text[], $3::bigint[]) ON CONFLICT DO NOTHING',
    [environment, silent.map((each) => each.key), silent.map((each) => each.issuanceId)],
  )
  const told = await noteSurplus(
    sql,
    environment,
    owned.filter((each) => each.counts),
  )
  await wantResultsOf(sql, told)
}

/**
 * What is noted beside a failed row keeps it from being sent again for as long as it is worth something: one that was revoked since does not.
 * @param rows with the items that are noted beside them and that the whole report shows as valid now
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
    [environment, course, rows.map((each) => each.issuanceKey), rows.map((each) => each.surplus)],
  )
}
