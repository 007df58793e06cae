// Opens the ledger for one environment. The rest of the program reads and writes it through groups of functions, each
// named by a noun, such as `ledger.runs`. All SQL of the core stays in this folder, and each group is defined in its
// own file.

import { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Database } from '#src/platform/database/database.ts'
import { attemptStore } from './attempts/attempts.ts'
import { courseStore } from './attempts/courses.ts'
import { workStore } from './attempts/due-work.ts'
import { openFence } from './attempts/fence.ts'
import { outcomeStore } from './attempts/outcomes.ts'
import { openPickPositions } from './attempts/pick-positions.ts'
import { preparationStore } from './attempts/prepare.ts'
import { sendingStopStore } from './attempts/sending-stops.ts'
import { decisionStore } from './decisions.ts'
import { issuanceStore } from './explain.ts'
import { chooseHashKey } from './hash-key.ts'
import { knownMigrations } from './migrate.ts'
import { probeStore } from './probes.ts'
import { absenceStore } from './report/absence.ts'
import { adoptionStore } from './report/adoptions.ts'
import { reportStore } from './report/apply-report.ts'
import { pollerStore } from './report/poller.ts'
import { scanStore } from './report/scans.ts'
import { watchingStore } from './report/watching.ts'
import { revocationStore } from './revocations/revocations.ts'
import { brakeStore } from './runs/brake.ts'
import { finishedRunStore } from './runs/finished-runs.ts'
import { firstListStore } from './runs/first-list.ts'
import { imageStore } from './runs/images.ts'
import { inboxStore } from './runs/inboxes.ts'
import { intakeStore } from './runs/intake.ts'
import { knownRowStore } from './runs/known-rows.ts'
import { elsewhereStore, onlyFiles, type RowsFromElsewhere } from './runs/rows-from-elsewhere.ts'
import { runStore } from './runs/runs.ts'
import { violationStore } from './runs/violations.ts'
import { writeBackStore } from './runs/write-backs.ts'
import { waitingStore } from './waiting-facts.ts'
import { lockStore } from './workers/locks.ts'
import { obstacleStore } from './workers/obstacles.ts'
import { workerStore } from './workers/worker-registry.ts'

export type Ledger = Awaited<ReturnType<typeof openLedger>>

export interface LedgerOptions {
  /** How long a job may show no activity before it is enqueued again. */
  lostAfterMs?: number
  /** The key for hashing people's identifiers, if it is not in the database. */
  hashKey?: Buffer | null
  /** The extension that provides rows from sources other than files. */
  elsewhere?: RowsFromElsewhere
}

/**
 * @param db with all migrations applied
 * @param environment `any` for commands that only read
 * @throws HashKeyError
 */
export async function openLedger(
  db: Database,
  environment: string,
  { lostAfterMs = 30_000, hashKey = null, elsewhere = onlyFiles }: LedgerOptions = {},
) {
  const { rows } = await db.query<{ key: Buffer | null; check: Buffer; id: string }>(
    'SELECT hash_key AS key, key_check AS check, id FROM ledger',
  )
  const row = rows[0]
  if (!row)
    throw new Error(
      'The ledger has no hash key, because it was not migrated. Run a credsync command that migrates the ledger, such as `credsync check`.',
    )
  const fence = openFence(db, await knownMigrations())
  const hasher = new Hasher(chooseHashKey(row, hashKey))
  const positions = openPickPositions()
  return {
    id: row.id,
    environment,
    lostAfterMs,
    version: { outdated: fence.outdated, check: fence.check },
    hasher,

    runs: runStore(db, environment),
    intake: intakeStore(db, hasher, positions, elsewhere),
    elsewhere: elsewhereStore(db, environment, elsewhere),
    images: imageStore(db),
    violations: violationStore(db),
    brake: brakeStore(db, environment),
    firstList: firstListStore(db, environment),
    finishedRuns: finishedRunStore(db, environment),
    knownRows: knownRowStore(db, environment),
    inboxes: inboxStore(db, environment, lostAfterMs),
    writeBacks: writeBackStore(db),

    attempts: {
      ...preparationStore(db, environment, positions),
      ...attemptStore(db, environment, fence),
      ...outcomeStore(db, environment),
    },
    courses: courseStore(db, environment),
    sendingStops: sendingStopStore(db, environment),
    work: workStore(db, environment, lostAfterMs, positions),
    waiting: waitingStore(db),

    scans: scanStore(db, environment),
    poller: pollerStore(db, environment),
    report: reportStore(db, environment),
    absence: absenceStore(db, environment),
    watching: watchingStore(db, environment, lostAfterMs),
    adoptions: adoptionStore(db, environment, hasher),
    probes: probeStore(db, environment),

    issuances: issuanceStore(db, environment),
    decisions: decisionStore(db, environment),
    revocations: revocationStore(db, environment, lostAfterMs, fence, elsewhere),

    workers: workerStore(db, environment),
    locks: lockStore(db, environment),
    obstacles: obstacleStore(db, environment),
  }
}
