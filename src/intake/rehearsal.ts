// A whole file read and checked as the intake would, without keeping a row of it: what would be new, known, changed and invalid.

import { createHash } from 'node:crypto'
import type { PersonIndex } from '#src/issuance/person-index.ts'
import type { ReadImage } from '#src/ledger/images.ts'
import type { StagedRow } from '#src/ledger/intake.ts'
import type { Problem } from '#src/ledger/violations.ts'
import { maskRecipient } from '#src/recipients/mask-recipient.ts'
import type { SourceRow } from '#src/sources/source.ts'
import { type Counts, type GoodRow, PeopleInFile } from './people-in-file.ts'
import { ProblemTally, type Wrong } from './problem-tally.ts'
import type { RowCheck } from './row-check.ts'

/** rows = new + known + changed + duplicates + invalid */
export interface Rehearsal extends Counts {
  rows: number
  invalid: number
  problems: Problem[]
  /** The first three who would be issued, masked, by display name. */
  recipients: Readonly<Record<string, string>>[]
  /** The image of each of them, as the list names it; left out where no images travel. */
  images?: string[]
}

/** One answer for each row: what the ledger says about its credential. It may not change anything. */
export type Compare = (rows: readonly KeyedRow[]) => Promise<readonly (GoodRow['standing'] | 'person twice')[]>

export interface KeyedRow {
  issuanceKey: Buffer
  matchHashes: readonly Buffer[]
  recipient: Readonly<Record<string, string>>
  /** SHA-256 of the image that travels with it. */
  imageSha256: Buffer | null
}

const mostRecipients = 3
// One of them may turn out to bear two names further down in the file, and is not issued then.
const mostCandidates = 100

export interface RehearsalCheck extends Pick<RowCheck, 'row' | 'plan' | 'nameFields'> {
  /** Looks into an image that a row names. */
  readImage?: ReadImage
  /** Whom the ledger knows for the course, where rows may say by different fields who they are. */
  known?: Pick<PersonIndex, 'find'> | null
}

/** @throws what reading the batches, looking into an image and comparing throw */
export async function rehearseRows(
  batches: AsyncIterable<readonly SourceRow[]>,
  check: RehearsalCheck,
  compare: Compare,
): Promise<Rehearsal> {
  const tally = new ProblemTally()
  const people = new PeopleInFile(
    check.plan.map(({ field }) => field.displayName),
    check.nameFields,
  )
  const candidates: (Pick<GoodRow, 'recipient'> & { person: number; image: string | null })[] = []
  const images = new Map<string, Buffer>()
  let rows = 0
  let invalid = 0
  for await (const batch of batches) {
    const checked = batch.map(check.row)
    rows += checked.length
    for (const { image } of checked) {
      if (!image || !check.readImage || images.has(image)) continue
      images.set(
        image,
        createHash('sha256')
          .update((await check.readImage(image)).bytes)
          .digest(),
      )
    }
    const goodRow = (row: StagedRow) => asGood(row, images)
    const good = checked.flatMap(goodRow)
    const standings = await compare(good)
    let next = 0
    for (const each of checked) {
      const [row] = goodRow(each)
      if (!row) {
        invalid++
        tally.add(each.row, (each.violations ?? []) as readonly Wrong[])
        const { recipient, identityHash } = each
        if (recipient && identityHash) people.note({ row: each.row, recipient, identityHash })
        continue
      }
      const standing = standings[next++] ?? 'unknown'
      const twice = standing === 'unknown' && check.known && check.known.find(row.recipient) !== null
      if (standing === 'person twice' || twice) {
        invalid++
        tally.add(row.row, [{ field: 'Primary Value', rule: 'person_twice', value: '' }])
        people.note(row)
        continue
      }
      const { person, as } = people.add({ ...row, standing })
      if (as === 'new' && candidates.length < mostCandidates)
        candidates.push({ person, recipient: row.recipient, image: row.image })
    }
  }
  const { rows: conflicting, refused, examples } = people.conflictingRows()
  tally.addKind({ field: '', rule: 'identity_conflict', rows: conflicting, examples })
  const first = candidates.filter(({ person }) => !people.conflicts(person)).slice(0, mostRecipients)
  const named = first.flatMap(({ image }) => (image === null ? [] : [image]))
  return {
    rows,
    ...people.counts(),
    invalid: invalid + conflicting - refused,
    problems: tally.problems(),
    recipients: first.map(({ recipient }) => maskRecipient(recipient, check.plan)),
    // Where images travel every row has one.
    ...(named.length > 0 ? { images: named } : {}),
  }
}

type Candidate = Omit<GoodRow, 'standing'> & KeyedRow & { image: string | null }

function asGood(of: StagedRow, images: ReadonlyMap<string, Buffer>): Candidate[] {
  const { row, recipient, identityHash, issuanceKey, matchHashes, image = null } = of
  if (!recipient || !identityHash || !issuanceKey) return []
  const imageSha256 = (image && images.get(image)) || null
  return [{ row, recipient, identityHash, issuanceKey, matchHashes: matchHashes ?? [], image, imageSha256 }]
}
