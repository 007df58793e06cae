// Erasures of people's data: they are written first, and carried out in steps that can be repeated. Reads and writes
// the database only.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { deliveredOutcomes, lockPipelines, releaseLearners } from '#src/extensions/lms/ledger/forget-learners.ts'
import { requestRevocation } from '#src/ledger/revocations/request-revocation.ts'
import { removeImages } from '#src/ledger/runs/images.ts'
import { lockPublications, tryLockPublications } from '#src/ledger/runs/publication-lock.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { eachOf } from '#src/platform/database/index-lookups.ts'
import { type Confirming, emptyEvents, emptyLateEvents } from './empty-events.ts'
import { emptyMentionedLearners, emptyRecords, isAnythingToEmpty, waitsForSql } from './empty-records.ts'
import { type FoundPerson, findPeople } from './find-people.ts'
import { readPersonData, readPersonFiles } from './person-data.ts'
import type { FieldsOf, Records, RowName, Who } from './person-records.ts'
import { type ErasureRequest, withdrawRows, writeErasure } from './write-erasure.ts'

const countOfRecords = ({ ids, rows, completions }: Records) => ids.length + rows.length + completions.length

/** Thrown if records came since the people were found, and it is no longer clear whose they are. */
export class PersonUnclearError extends Error {
  override readonly name = 'PersonUnclearError'

  constructor() {
    super(
      'Records came meanwhile that may be of somebody else. Nothing was changed. Run the command again: it says which.',
    )
  }
}

/** What is to be forgotten of the people who were found. A release takes along what was forgotten before. */
export function contentOfPeople(
  people: readonly FoundPerson[],
  { releases, revokes }: Pick<ErasureRequest, 'releases' | 'revokes'>,
): Records & { people: number[] } {
  const unique = <Item>(items: readonly Item[]) => [...new Set(items)]
  return {
    ids: unique(
      people.flatMap(({ ids, earlier }) => [...ids, ...(releases || revokes ? earlier.ids : earlier.expired)]),
    ),
    rows: unique(people.flatMap(({ rows }) => rows)),
    completions: unique(
      people.flatMap(({ completions, earlier }) => [...completions, ...(releases ? earlier.completions : [])]),
    ),
    people: releases ? unique(people.flatMap(({ earlier }) => earlier.people)) : [],
  }
}

/** @param environment `any` lists the erasures of every environment */
export function erasureStore(db: Database, environment: string, hasher: Hasher) {
  const find = (sql: Sql, whos: readonly Who[], fieldsOf: FieldsOf) =>
    findPeople(sql, environment, whos, { fieldsOf, hasher })
  return {
    /** Finds everything that the ledger holds of some people, and what may be of somebody else. */
    find: (whos: readonly Who[], fieldsOf: FieldsOf): Promise<FoundPerson[]> =>
      db.transaction((sql) => find(sql, whos, fieldsOf)),
    /**
     * Writes an erasure, and withdraws the rows of the people that wait to be sent. They are searched for once more
     * after the publications of their courses are locked: what comes later is met by the hashes.
     * @returns what belongs to it, which may be more than what was found before
     * @throws CorrectionInProgressError, PersonUnclearError
     */
    request: (
      whos: readonly Who[],
      request: ErasureRequest,
      fieldsOf: FieldsOf,
    ): Promise<{ id: string; people: FoundPerson[] }> =>
      db.transaction(async (sql) => {
        await lockPublications(sql, await coursesOf(sql, contentOfPeople(await find(sql, whos, fieldsOf), request)))
        const people = await find(sql, whos, fieldsOf)
        if (people.some(({ ambiguous }) => countOfRecords(ambiguous) > 0)) throw new PersonUnclearError()
        const options = { environment, hasher, fieldsOf }
        return { id: await writeErasure(sql, options, contentOfPeople(people, request), request), people }
      }),
    /** Writes an erasure whose records are known by their ids. @throws CorrectionInProgressError */
    write: (content: Records, request: ErasureRequest, fieldsOf: FieldsOf): Promise<string> =>
      db.transaction(async (sql) => {
        await lockPublications(sql, await coursesOf(sql, content))
        return writeErasure(sql, { environment, hasher, fieldsOf }, content, request)
      }),
    count: (content: Records) => countRecords(db, content),
    personData: (content: Records, confirming: Confirming) => readPersonData(db, environment, content, confirming),
    personFiles: (content: Records) => readPersonFiles(db, content),
    open: () => openErasures(db, environment),
    list: () => listErasures(db, environment),
    /** The issuances of an erasure, its rows of their own, and the lists that name its people. */
    content: (erasureId: string) => contentOf(db, erasureId),
    /** What was reported to targets about these issuances, which only they can delete. */
    deliveredOutcomes: (ids: readonly number[]) => deliveredOutcomes(db, ids),
    /** Withdraws rows that were under way and are to be sent again. @returns how many */
    withdraw: (erasureId: string): Promise<number> => db.transaction((sql) => withdrawRows(sql, erasureId)),
    /** Requests the revocation of issued credentials, if that was wanted. @returns how many */
    revoke: async (erasureId: string): Promise<number> => {
      const credentials = await credentialsToRevoke(db, erasureId)
      for (const { id, credentialId, by } of credentials) {
        const decision = { by, why: 'the person is forgotten' }
        await db.transaction((sql) =>
          requestRevocation(sql, environment, { credentialId, issuanceId: id, correction: null, decision }),
        )
      }
      return credentials.length
    },
    /** What the issuances of an erasure wait for. */
    waiting: (erasureId: string) => waitingOf(db, erasureId),
    /** Records what keeps an erasure open, in a sentence with ids only. */
    async noteWaiting(erasureId: string, waitsFor: string | null): Promise<void> {
      await db.query('UPDATE erasure SET waits_for = $2 WHERE id = $1 AND waits_for IS DISTINCT FROM $2', [
        erasureId,
        waitsFor,
      ])
    },
    /** Whether something can be emptied. If an event was in the way, it is looked for once a minute. */
    isDue: async (erasureId: string): Promise<boolean> => {
      const { rowCount } = await db.query(
        `SELECT FROM erasure WHERE id = $1 AND (event_found_at IS NULL OR event_found_at < clock_timestamp() - ${eventPause})`,
        [erasureId],
      )
      return rowCount > 0 && (await isAnythingToEmpty(db, erasureId))
    },
    /**
     * Deletes the bodies of inbound events about the people, and their numbers as learners in what is recorded of
     * others. Called before anything else is emptied.
     */
    emptyEvents: async (erasureId: string, confirming: Confirming, pages = Number.POSITIVE_INFINITY) => {
      await db.transaction((sql) => emptyMentionedLearners(sql, erasureId))
      return emptyEvents(db, erasureId, { confirming, pages })
    },
    /**
     * Empties the next records of an erasure, unless an event about them came since the last search and has to be
     * waited for.
     * @returns how many; 0 if everything is emptied, or the rest has to wait
     */
    emptyNext: async (erasureId: string, confirming: Confirming = {}): Promise<number> => {
      const emptied = await db.transaction(async (sql) => {
        await lockPipelines(sql, { erasureId })
        if (!(await isAnythingToEmpty(sql, erasureId))) return 0
        // Nobody asked for the events of people whose retention ended. They have limits of their own.
        const { rowCount } = await sql.query(`SELECT FROM erasure WHERE id = $1 AND kind = 'request'`, [erasureId])
        if (rowCount > 0 && (await emptyLateEvents(sql, erasureId, confirming)).length > 0) return 0
        return emptyRecords(sql, erasureId, hasher)
      })
      // Nothing that the erasure has emptied needs its images any more.
      if (emptied > 0) await removeImages(db)
      return emptied
    },
    /** Ends an erasure. @returns false if something is not emptied yet */
    end: async (erasureId: string): Promise<boolean> => {
      // Once more: the process may have been killed after the last call had emptied a row, and nothing comes
      // afterwards.
      await removeImages(db)
      return await db.transaction((sql) => endErasure(sql, erasureId))
    },
  }
}

/** Lists of these courses may name the people. */
async function coursesOf(sql: Sql, { ids, rows, completions }: Records): Promise<string[]> {
  const { rows: found } = await sql.query<{ course: string }>(
    `SELECT course_uuid AS course FROM issuance WHERE id = ANY($1::bigint[])
     UNION SELECT course_uuid FROM run WHERE id = ANY($2::uuid[]) AND course_uuid IS NOT NULL
     UNION SELECT r.course_uuid FROM completion c JOIN run r ON r.environment = c.environment AND r.pipeline = c.pipeline
       WHERE c.id = ANY($3::bigint[]) AND r.course_uuid IS NOT NULL`,
    [ids, rows.map(({ run }) => run), completions],
  )
  return found.map(({ course }) => course)
}

export interface ErasureCounts {
  issuances: number
  /** Rows that wait to be sent, and that are withdrawn. */
  withdrawn: number
  /** Issuances whose call, decision or report is waited for. */
  underWay: number
  /** Valid credentials, which the service keeps. */
  issued: number
  /** Rows of lists, and the lists whose files are written again. */
  rows: number
  lists: number
  completions: number
  certificates: number
  /** Outcomes that were reported to learning systems. */
  told: number
}

async function countRecords(sql: Sql, { ids, rows, completions }: Records): Promise<ErasureCounts> {
  const { rows: counted } = await sql.query<ErasureCounts>(
    `WITH named AS (
       SELECT run_id FROM run_row WHERE issuance_id = ANY($1::bigint[]) AND changed_fields IS NULL UNION ALL SELECT * FROM unnest($2::uuid[]))
     SELECT count(*) AS issuances, count(*) FILTER (WHERE state = 'pending') AS withdrawn, count(*) FILTER (WHERE state = 'issued') AS issued,
            count(*) FILTER (WHERE state IN ('sending', 'unconfirmed', 'requested', 'in_progress', 'held')) AS "underWay",
            (SELECT count(*) FROM named) AS rows, (SELECT count(DISTINCT run_id) FROM named) AS lists, $3::int AS completions,
            (SELECT count(file) FROM archived_certificate WHERE issuance_id = ANY($1)) AS certificates,
            (SELECT count(*) FROM delivery WHERE issuance_id = ANY($1) AND written_at IS NOT NULL) AS told
     FROM issuance WHERE id = ANY($1)`,
    [ids, rows.map(({ run }) => run), completions.length],
  )
  return counted[0] as ErasureCounts
}

/** SQL: how long events are not searched for again after one was in the way. */
const eventPause = `interval '1 minute'`

export interface OpenErasure {
  id: string
  kind: 'request' | 'retention'
  requestedAt: Date
  revokes: boolean
  releases: boolean
  recordedAt: Date | null
  waitsFor: string | null
  /** Whether an event was in the way a short time ago. */
  isHeldByEvent: boolean
}

export interface ListedErasure extends Omit<OpenErasure, 'isHeldByEvent'> {
  environment: string
  by: string
  reason: string
  endedAt: Date | null
  /** How many issuances, rows of their own and completions it is about, and how many of these are emptied. */
  issuances: number
  rows: number
  completions: number
  emptied: number
  /** Credentials that were to be revoked, and are still valid although their data are emptied. */
  notRevoked: { issuanceId: number; credentialId: string }[]
}

const columns = `x.id, x.kind, x.requested_at AS "requestedAt", x.revokes, x.releases, x.recorded_at AS "recordedAt", x.waits_for AS "waitsFor"`

/** Those that are not carried out, the oldest first. */
async function openErasures(sql: Sql, environment: string): Promise<OpenErasure[]> {
  const { rows } = await sql.query<OpenErasure>(
    `SELECT ${columns}, coalesce(x.event_found_at >= clock_timestamp() - ${eventPause}, false) AS "isHeldByEvent" FROM erasure x WHERE $1 IN (x.environment, 'any') AND x.ended_at IS NULL ORDER BY x.requested_at, x.id`,
    [environment],
  )
  return rows
}

/** All erasures, the newest first. */
async function listErasures(sql: Sql, environment: string): Promise<ListedErasure[]> {
  const countOf = (table: string) =>
    `(SELECT count(*), count(emptied_at) AS emptied FROM ${table} e WHERE e.erasure_id = x.id)`
  const { rows } = await sql.query<ListedErasure>(
    `SELECT ${columns}, x.environment, x.requested_by AS by, x.reason, x.ended_at AS "endedAt",
            issuances.count AS issuances, rows.count AS rows, completions.count AS completions,
            issuances.emptied + rows.emptied + completions.emptied AS emptied,
            coalesce((SELECT json_agg(json_build_object('issuanceId', i.id, 'credentialId', i.credential_id) ORDER BY i.id)
              FROM erased_issuance e JOIN issuance i ON i.id = e.issuance_id
              WHERE x.revokes AND e.erasure_id = x.id AND e.emptied_at IS NOT NULL AND i.state = 'issued'), '[]') AS "notRevoked"
     FROM erasure x CROSS JOIN LATERAL ${countOf('erased_issuance')} issuances
     CROSS JOIN LATERAL ${countOf('erased_row')} rows CROSS JOIN LATERAL ${countOf('erased_completion')} completions
     WHERE $1 IN (x.environment, 'any') ORDER BY x.requested_at DESC, x.id`,
    [environment],
  )
  return rows
}

async function contentOf(
  sql: Sql,
  erasureId: string,
): Promise<{ issuances: number[]; rows: RowName[]; runs: string[] }> {
  const { rows: issuances } = await sql.query<{ id: number }>(
    'SELECT issuance_id AS id FROM erased_issuance WHERE erasure_id = $1 ORDER BY 1',
    [erasureId],
  )
  const { rows } = await sql.query<RowName>(
    'SELECT run_id AS run, row_number AS row FROM erased_row WHERE erasure_id = $1 ORDER BY 1, 2',
    [erasureId],
  )
  const { rows: runs } = await sql.query<{ id: string }>('SELECT run_id AS id FROM erased_run WHERE erasure_id = $1', [
    erasureId,
  ])
  return { issuances: issuances.map(({ id }) => id), rows, runs: runs.map(({ id }) => id) }
}

/** What some issuances of an erasure wait for. */
export interface WaitingIssuances {
  waitsFor: 'a decision' | 'its withdrawal' | 'its call' | 'its revocation' | 'a learning system'
  count: number
  /** The first few. */
  ids: number[]
}

/** Completions of an erasure that are in lists which are not read yet. */
export interface WaitingCompletions {
  waitsFor: 'its list'
  count: number
  /** The first few lists. */
  runs: string[]
}

export type Waiting = WaitingIssuances | WaitingCompletions

/** What an erasure waits for before its data can be emptied. Empty if nothing does. */
async function waitingOf(sql: Sql, erasureId: string): Promise<Waiting[]> {
  const { rows: issuances } = await sql.query<WaitingIssuances>(
    `SELECT "waitsFor", count(*), (array_agg(id ORDER BY id))[1:5]::text[]::int[] AS ids FROM (
       SELECT i.id, ${waitsForSql} AS "waitsFor"
       FROM erased_issuance e JOIN erasure x ON x.id = e.erasure_id JOIN issuance i ON i.id = e.issuance_id
       WHERE e.erasure_id = $1 AND e.emptied_at IS NULL) w
     WHERE "waitsFor" IS NOT NULL GROUP BY 1 ORDER BY 1`,
    [erasureId],
  )
  const { rows: completions } = await sql.query<WaitingCompletions>(
    `SELECT 'its list' AS "waitsFor", count(*), (array_agg(DISTINCT run.id::text ORDER BY run.id::text))[1:5] AS runs
     FROM erased_completion e JOIN completion c ON c.id = e.completion_id JOIN run ON run.id = c.run_id
     WHERE e.erasure_id = $1 AND e.emptied_at IS NULL AND run.state = 'received' HAVING count(*) > 0`,
    [erasureId],
  )
  return [...issuances, ...completions]
}

interface CredentialToRevoke {
  id: number
  credentialId: string
  by: string
}

/** Issued credentials without a revocation that is under way or was requested since. */
async function credentialsToRevoke(db: Database, erasureId: string): Promise<CredentialToRevoke[]> {
  const { rows } = await db.query<CredentialToRevoke>(
    `SELECT i.id, i.credential_id AS "credentialId", x.requested_by AS by
     FROM erasure x JOIN erased_issuance e ON e.erasure_id = x.id JOIN issuance i ON i.id = e.issuance_id
     WHERE x.id = $1 AND x.revokes AND e.emptied_at IS NULL AND i.state = 'issued' AND i.credential_id IS NOT NULL
       AND NOT EXISTS (SELECT FROM revocation r WHERE r.issuance_id = i.id
         AND (r.state IN ('wanted', 'sending', 'unconfirmed', 'accepted') OR r.wanted_at >= x.requested_at))
     ORDER BY i.id`,
    [erasureId],
  )
  return rows
}

/** @returns false if something is not emptied yet, a list of its courses is being published, or it has ended already */
async function endErasure(sql: Sql, erasureId: string): Promise<boolean> {
  const { rows: courses } = await sql.query<{ course: string }>(
    `SELECT DISTINCT p.course_uuid AS course FROM erased_person p JOIN erasure x ON x.id = p.erasure_id WHERE x.id = $1 AND x.releases`,
    [erasureId],
  )
  // A list that is being published has compared its rows with the hashes that a release removes.
  if (
    !(await tryLockPublications(
      sql,
      courses.map(({ course }) => course),
    ))
  )
    return false
  // In a statement of its own, so that the next one sees what the previous holder of the lock has written.
  await sql.query('SELECT FROM erasure WHERE id = $1 FOR NO KEY UPDATE', [erasureId])
  const isLeft = (table: string) => `EXISTS (SELECT FROM ${table} e WHERE e.erasure_id = $1 AND e.emptied_at IS NULL)`
  const { rows } = await sql.query<{ releases: boolean }>(
    `UPDATE erasure SET ended_at = clock_timestamp(), waits_for = NULL WHERE id = $1 AND ended_at IS NULL
       AND NOT ${isLeft('erased_issuance')} AND NOT ${isLeft('erased_row')} AND NOT ${isLeft('erased_completion')}
     RETURNING releases`,
    [erasureId],
  )
  if (rows[0]?.releases) await release(sql, erasureId)
  return rows.length > 0
}

/** Removes every hash of the person. The rows keep hashes that nobody can compute. */
async function release(sql: Sql, erasureId: string): Promise<void> {
  const { rows } = await sql.query<{ id: number }>(
    'SELECT i.id FROM erased_issuance e JOIN issuance i ON i.id = e.issuance_id WHERE e.erasure_id = $1 ORDER BY i.id FOR UPDATE OF i',
    [erasureId],
  )
  await releaseLearners(sql, erasureId)
  await sql.query('DELETE FROM erased_person WHERE erasure_id = $1', [erasureId])
  const ids = rows.map(({ id }) => id)
  const each = eachOf('$1')
  await sql.query(`DELETE FROM issuance_identity WHERE issuance_id = ${each}`, [ids])
  await sql.query(`DELETE FROM issuance_match WHERE issuance_id = ${each}`, [ids])
  await sql.query(`UPDATE erased_issuance SET released_at = clock_timestamp() WHERE issuance_id = ${each}`, [ids])
  await sql.query(
    `UPDATE issuance SET issuance_key = superseded_key(issuance_key, id), identity_hash = superseded_key(identity_hash, id) WHERE id = ${each}`,
    [ids],
  )
}
