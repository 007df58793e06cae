// Erasures of people's data: they are written first, and carried out in steps that can be repeated. Reads and writes the
// database only.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { forgottenOf } from '../forgotten-people.ts'
import { emptyEvents, emptyLateEvents, type SearchedEvents } from '../lms/empty-events.ts'
import { deliveredOutcomes, emptyCompletions, lockPipelines } from '../lms/empty-learning.ts'
import { requestRevocation } from '../revocations/request-revocation.ts'
import { removeImages } from '../runs/images.ts'
import { countErasure } from './count-erasure.ts'
import {
  completionsToEmpty,
  emptyInvalidRows,
  emptyIssuances,
  isAnythingToEmpty,
  noteEmptiedCompletions,
} from './empty-issuances.ts'
import { emptyMentionedLearners } from './empty-mentions.ts'
import { endErasure } from './end-erasure.ts'
import { findPeople } from './find-person.ts'
import type { FoundPerson, RowName } from './found-person.ts'
import { contentOf, listErasures, openErasures, waitingOf } from './open-erasures.ts'
import { type PersonContent, readPersonData, readPersonFiles } from './person-data.ts'
import { type ComparisonOf, personRecordOf } from './person-records.ts'
import { type ErasureRequest, requestErasure, type WrittenErasure } from './request-erasure.ts'
import type { Who } from './resolve-people.ts'
import { cellsOfRows, recordOfCells } from './row-values.ts'
import { readIssuances, readPipelines, readSearchedTo } from './scan-people.ts'
import { withdrawRows } from './withdraw-rows.ts'

type EventSearch = Partial<SearchedEvents> & { pages?: number }

/** @param environment `any` lists the erasures of every environment */
export function erasureStore(db: Database, environment: string, hasher: Hasher) {
  return {
    /**
     * Writes an erasure, and withdraws the rows of the person that wait to be sent.
     * @throws CorrectionInProgressError
     */
    request: (request: ErasureRequest): Promise<WrittenErasure> =>
      db.transaction((sql) => requestErasure(sql, environment, hasher, request)),
    /** Finds everything that the ledger holds of some people, and what may be of somebody else. */
    find: (whos: readonly Who[], comparisonOf: ComparisonOf): Promise<FoundPerson[]> =>
      findPeople(db, environment, whos, { comparisonOf, hasher }),
    /** Read before people are searched for, and given to the request, which looks at what came since. */
    searchedTo: () => readSearchedTo(db, environment),
    /** The pipelines and courses of all issuances, whose fields are needed to compare people. */
    pipelines: () => readPipelines(db, environment),
    count: (content: Pick<ErasureRequest, 'ids' | 'rows' | 'completions'>) => countErasure(db, content),
    /** Which of these issuances were forgotten, and when. */
    forgottenOf: (ids: readonly number[]) => forgottenOf(db, ids),
    /** Everything that is held of a person who was found. */
    personData: (content: PersonContent, options: Parameters<typeof readPersonData>[3]) =>
      readPersonData(db, environment, content, options),
    personFiles: (content: PersonContent) => readPersonFiles(db, content),
    open: () => openErasures(db, environment),
    list: () => listErasures(db, environment),
    /** The issuances of an erasure, its rows of their own, and the lists that name its people. */
    content: (erasureId: string) => contentOf(db, erasureId),
    /** What targets were told of these issuances, which only they can delete. */
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
    /**
     * Deletes the bodies of inbound events about the person, and the person's learner numbers in what is recorded of
     * others. Called before anything else is emptied, until nothing is left to search.
     * @param options.pages how many pages of events are searched at most
     * @returns the ids of the events that the erasure has to wait for (`waitsForEvents` says so in words); null if there
     * are more to search
     */
    emptyEvents: async (
      erasureId: string,
      { confirming = {}, searched = new Set(), pages = Number.POSITIVE_INFINITY }: EventSearch = {},
    ): Promise<number[] | null> => {
      await db.transaction((sql) => emptyMentionedLearners(sql, erasureId))
      return emptyEvents(db, erasureId, await peopleToFind(db, erasureId, hasher), { confirming, searched, pages })
    },
    /**
     * Whether the bodies of events are to be searched now. What is emptied next is searched for once more, because nobody
     * is found afterwards in an event that came since the last search, and few are left to search while none can come.
     */
    eventsAreDue: async (erasureId: string): Promise<boolean> => {
      const { rows } = await db.query<{ isLongAgo: boolean; waits: boolean }>(
        `SELECT coalesce(events_at < clock_timestamp() - interval '1 minute', true) AS "isLongAgo", waiting_events <> '{}' AS waits
         FROM erasure WHERE id = $1`,
        [erasureId],
      )
      return rows.some(({ isLongAgo }) => isLongAgo) || (!rows[0]?.waits && (await isAnythingToEmpty(db, erasureId)))
    },
    /**
     * Empties the next issuances, rows of their own and completions of an erasure, unless an event about them came since
     * the last search that is not processed yet.
     * @param options.searched what `emptyEvents` has searched a moment ago
     * @returns how many; 0 if everything is emptied, or the rest has to wait
     */
    emptyNext: async (
      erasureId: string,
      { confirming = {}, searched = new Set() }: Partial<SearchedEvents> = {},
    ): Promise<number> => {
      const emptied = await db.transaction(async (sql) => {
        await lockPipelines(sql, { erasureId })
        if (await isKeptByEvent(sql, erasureId, hasher, { confirming, searched })) return 0
        const issuances = await emptyIssuances(sql, erasureId, hasher)
        const rows = await emptyInvalidRows(sql, erasureId)
        const completions = await emptyCompletions(sql, await completionsToEmpty(sql, erasureId), { hasher })
        await noteEmptiedCompletions(sql, completions)
        return issuances.length + rows + completions.length
      })
      // Nothing that the erasure has emptied needs its images any more.
      if (emptied > 0) await removeImages(db)
      return emptied
    },
    /** Ends an erasure. @returns false if something is not emptied yet */
    end: async (erasureId: string): Promise<boolean> => {
      // Once more: the process may have been killed after the last call had emptied a row, and nothing comes afterwards.
      await removeImages(db)
      return await db.transaction((sql) => endErasure(sql, erasureId))
    },
  }
}

/** Nobody asked for the events of people whose retention ended. They have limits of their own. */
async function isKeptByEvent(sql: Sql, erasureId: string, hasher: Hasher, search: SearchedEvents): Promise<boolean> {
  const { rows } = await sql.query<{ kind: string }>('SELECT kind FROM erasure WHERE id = $1', [erasureId])
  if (rows[0]?.kind !== 'request' || !(await isAnythingToEmpty(sql, erasureId))) return false
  return (await emptyLateEvents(sql, erasureId, await peopleToFind(sql, erasureId, hasher), search)).length > 0
}

/** The people of an erasure by their issuances and rows, to look for them in events. */
async function peopleToFind(sql: Sql, erasureId: string, hasher: Hasher) {
  const { rows } = await sql.query<{ environment: string; ids: number[] }>(
    `SELECT environment, ARRAY(SELECT issuance_id FROM erased_issuance WHERE erasure_id = x.id)::text[]::int[] AS ids FROM erasure x WHERE id = $1`,
    [erasureId],
  )
  const { environment = '', ids = [] } = rows[0] ?? {}
  const { rows: names } = await sql.query<RowName>(
    'SELECT run_id AS run, row_number AS row FROM erased_row WHERE erasure_id = $1 AND emptied_at IS NULL',
    [erasureId],
  )
  const cells = await cellsOfRows(sql, names)
  const issuances = [...(await readIssuances(sql, environment, ids)).values()]
  return {
    hasher,
    recipients: issuances.flatMap(({ recipient }) => (recipient ? [recipient] : [])),
    records: [
      ...issuances.flatMap((issuance) => personRecordOf(issuance, () => null) ?? []),
      ...cells.map((row, at) => recordOfCells(row, () => null, -1 - at)),
    ],
  }
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
