// Performs the dry run of a file's rows: reads and checks them like a real intake but stores nothing. Counts which rows
// would be new, known, changed or invalid, and what is wrong with the invalid ones. The caller may read the ledger to
// compare rows.

import { createHash } from 'node:crypto'
import type { Recognition } from '#src/domain/credential/forgotten-person.ts'
import type { PersonIndex } from '#src/domain/credential/person-index.ts'
import { maskRecipient } from '#src/domain/recipient/mask-recipient.ts'
import { whereRule } from '#src/domain/recipient/who-is-meant.ts'
import type { SourceRow } from '#src/files/tables/source.ts'
import type { ReadImage } from '#src/ledger/runs/images.ts'
import type { StagedRow } from '#src/ledger/runs/intake.ts'
import type { RunProblem } from '#src/ledger/runs/violations.ts'
import { type Counts, PeopleInFile, type ValidRow } from './people-in-file.ts'
import { ProblemTally, type RowViolation } from './problem-tally.ts'
import type { RowCheck } from './row-check.ts'

/** rows = new + known + changed + duplicates + notMeant + invalid */
export interface DryRun extends Counts {
  rows: number
  invalid: number
  /** Rows that the pipeline's setting `where` leaves out. */
  notMeant: number
  problems: RunProblem[]
  /** The first three people to whom a credential would be issued: masked values by display name. */
  recipients: Readonly<Record<string, string>>[]
  /** The same people as they would be sent. Only for users who may read the list itself. */
  unmasked: Readonly<Record<string, string>>[]
  /** The name of the image of each of these people; omitted if no images are sent. */
  images?: string[]
}

/** Looks up each row's credential in the ledger, and returns one result for each row. Must not change anything. */
export type Compare = (rows: readonly KeyedRow[]) => Promise<readonly (ValidRow['inLedger'] | 'person twice')[]>

export interface KeyedRow {
  issuanceKey: Buffer
  matchHashes: readonly Buffer[]
  recipient: Readonly<Record<string, string>>
  /** The SHA-256 of the image that is sent with the row. */
  imageSha256: Buffer | null
}

const maxRecipients = 3
// More people are kept than are shown, because later rows may show that some of these people have two names and are
// rejected.
const maxCandidates = 100

export interface DryRunCheck extends Pick<RowCheck, 'row' | 'plan' | 'nameFields'> {
  /** Reads an image that a row names. */
  readImage?: ReadImage
  /** The people of the course who are in the ledger. Needed if rows may identify people by different fields. */
  known?: Pick<PersonIndex, 'find'> | null
  /** Recognizes rows of people who were forgotten. Needed if there are any such people in the course. */
  recognize?: ((rows: readonly StagedRow[]) => Promise<readonly Pick<Recognition, 'kind'>[]>) | null
}

/** @throws any error from reading the batches, reading an image or comparing */
export async function dryRunRows(
  batches: AsyncIterable<readonly SourceRow[]>,
  check: DryRunCheck,
  compare: Compare,
): Promise<DryRun> {
  const tally = new ProblemTally()
  const people = new PeopleInFile(
    check.plan.map(({ field }) => field.displayName),
    check.nameFields,
  )
  const candidates: (Pick<ValidRow, 'recipient'> & { person: number; image: string | null })[] = []
  const images = new Map<string, Buffer>()
  let rows = 0
  let invalid = 0
  let forgotten = 0
  let notMeant = 0
  for await (const batch of batches) {
    const read = batch.map(check.row)
    rows += read.length
    const recognized = (await check.recognize?.(read)) ?? []
    const checked = read.flatMap((row, index) => asPublished(row, recognized[index]?.kind ?? 'other') ?? [])
    forgotten += read.length - checked.length
    for (const { image } of checked) {
      if (!image || !check.readImage || images.has(image)) continue
      images.set(
        image,
        createHash('sha256')
          .update((await check.readImage(image)).bytes)
          .digest(),
      )
    }
    const validRows = checked.map((row) => asCandidate(row, images))
    const valid = validRows.filter((row) => row !== null)
    const comparisons = await compare(valid)
    const statuses = new Map(valid.map((row, index) => [row, comparisons[index] ?? 'unknown']))
    for (const [index, entry] of checked.entries()) {
      const row = validRows[index]
      if (!row) {
        const violations = (entry.violations ?? []) as readonly RowViolation[]
        if (violations[0]?.rule === whereRule) {
          notMeant++
          continue
        }
        invalid++
        tally.add(entry.row, violations)
        const { recipient, identityHash } = entry
        if (recipient && identityHash) people.addRejected({ row: entry.row, recipient, identityHash })
        continue
      }
      const status = statuses.get(row) ?? 'unknown'
      const isKnownPerson = status === 'unknown' && check.known && check.known.find(row.recipient) !== null
      if (status === 'person twice' || isKnownPerson) {
        invalid++
        tally.add(row.row, [{ field: 'Primary Value', rule: 'person_twice', value: '' }])
        people.addRejected(row)
        continue
      }
      const { person, kind } = people.add({ ...row, inLedger: status })
      if (kind === 'new' && candidates.length < maxCandidates)
        candidates.push({ person, recipient: row.recipient, image: row.image })
    }
  }
  const { known, ...counts } = people.counts()
  const { rows: conflicting, refused, examples } = people.conflictingRows()
  tally.addKind({ field: '', rule: 'identity_conflict', rows: conflicting, examples })
  const first = candidates.filter(({ person }) => !people.conflicts(person)).slice(0, maxRecipients)
  const imageNames = first.flatMap(({ image }) => (image === null ? [] : [image]))
  return {
    rows,
    ...counts,
    // Forgotten people are skipped in the same way as known people.
    known: known + forgotten,
    notMeant,
    invalid: invalid + conflicting - refused,
    problems: tally.problems(),
    recipients: first.map(({ recipient }) => maskRecipient(recipient, check.plan)),
    unmasked: first.map(({ recipient }) => recipient),
    // If images are sent, every row has one.
    ...(imageNames.length > 0 ? { images: imageNames } : {}),
  }
}

/** Returns null for the row of a person who asked to be forgotten: a publication keeps none of its data. */
function asPublished(row: StagedRow, kind: Recognition['kind']): StagedRow | null {
  if (kind === 'forgotten') return null
  if (kind === 'other') return row
  const [field, rule] = kind === 'known' ? ['Primary Value', 'person_twice'] : ['', 'forgotten_identity']
  return { ...row, issuanceKey: null, violations: [{ row: row.row, column: '', field, rule, value: '', sentence: '' }] }
}

type Candidate = Omit<ValidRow, 'inLedger'> & KeyedRow & { image: string | null }

/** Returns null for a rejected row. */
function asCandidate(staged: StagedRow, images: ReadonlyMap<string, Buffer>): Candidate | null {
  const { row, recipient, identityHash, issuanceKey, matchHashes, image = null } = staged
  if (!recipient || !identityHash || !issuanceKey) return null
  const imageSha256 = (image && images.get(image)) || null
  return { row, recipient, identityHash, issuanceKey, matchHashes: matchHashes ?? [], image, imageSha256 }
}
