// Prepares the data of a correction: checks that they are valid for the course's fields, and that the person, the
// course and the occasion stay the same. Pure: the key for the hashes is passed in.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { IdentityError, identify } from '#src/domain/credential/person-hashes.ts'
import { checkRecord } from '#src/domain/recipient/check-record.ts'
import { type Field, isDateField } from '#src/domain/recipient/field.ts'
import { roleOf } from '#src/domain/recipient/field-role.ts'
import { findField, unknownField } from '#src/domain/recipient/find-field.ts'
import { imageColumns } from '#src/domain/recipient/image-column.ts'
import { maskShape, maskValue } from '#src/domain/recipient/mask-value.ts'
import { identityRuleOf } from '#src/issuing/pipelines/identity-rule.ts'
import type { Correction } from '#src/ledger/revocations/revocation.ts'
import { openRowCheck } from './row-check.ts'

/** Thrown when a correction is impossible. The message explains why and what to do. */
export class CorrectionError extends Error {
  override readonly name = 'CorrectionError'
}

type Values = Readonly<Record<string, string>>

export interface KnownRow {
  recipient: Values
  issuanceKey: Buffer
  courseUuid: string
  /** Distinguishes this credential from the person's other credentials for the course, if no field does. */
  occasion?: Date | null
}

export interface CorrectionTools {
  pipeline: Pick<PipelineSettings, 'columns' | 'identity' | 'occurrence' | 'correlation'> &
    Partial<Pick<PipelineSettings, 'batch'>>
  fields: readonly Field[]
  hasher: Hasher
}

/**
 * Parses arguments such as `Last Name=Byron`. An empty value means that the field is left out.
 * @throws CorrectionError for an unknown field
 */
export function readCorrections(args: readonly string[], fields: readonly Field[]): Values {
  const values: Record<string, string> = Object.create(null)
  for (const text of args) {
    const at = text.indexOf('=')
    if (at < 1) throw new CorrectionError('Write --set as FIELD=VALUE, such as --set "Last Name=Byron".')
    const name = text.slice(0, at).trim()
    const field = findField(name, fields)
    if (!field) throw new CorrectionError(unknownField(name, fields))
    values[field.displayName] = text.slice(at + 1).trim()
  }
  return values
}

/** @throws CorrectionError if a value breaks a rule, the identity changes, or nothing differs */
export function proposeCorrection(known: KnownRow, change: Values, tools: CorrectionTools): Correction {
  const { recipient, violations } = checkRecord(withoutEmptyValues({ ...known.recipient, ...change }), tools.fields)
  if (!recipient) throw new CorrectionError(violations.map((violation) => violation.sentence).join('\n'))
  return correctionTo(known, recipient, tools)
}

/** A source row that is read again for a correction. */
export interface RereadRow {
  header: readonly string[]
  format: 'csv' | 'xlsx'
  row: number
  cells: readonly string[]
  /** The SHA-256 of the row's image, if it differs from the previous image. */
  image?: Buffer | null
}

/**
 * Prepares a correction from a source row, with the current column settings. Fields that the row does not fill stay as
 * they are.
 * @throws CorrectionError; PlanError
 */
export function proposeFromRow(known: KnownRow, reread: RereadRow, tools: CorrectionTools): Correction {
  const { header, format, row, cells } = reread
  // The person is already known, so the row is corrected even if the setting `where` would now leave it out.
  const pipeline = { ...tools.pipeline, where: {} }
  const check = openRowCheck({ ...tools, pipeline, header, course: known.courseUuid })
  // The ledger stores text; dates from a workbook are stored in ISO form.
  const kinds = cells.map((cell) => (format === 'xlsx' && /^\d{4}-\d{2}-\d{2}$/.test(cell) ? 'date' : 'text'))
  const staged = check.row({ row, cells, kinds } as Parameters<typeof check.row>[0])
  if (!staged.recipient || staged.violations) {
    const sentences = (staged.violations ?? []).map((each) => (each as { sentence?: string }).sentence ?? '')
    throw new CorrectionError(`Row ${row} is not valid with the current settings:\n${sentences.join('\n')}`)
  }
  const imageSha256 = reread.image ?? null
  const otherChanges = imageSha256 ? [imageColumnOf(header, tools.pipeline.batch?.imageColumn)] : []
  return { ...correctionTo(known, { ...known.recipient, ...staged.recipient }, tools, otherChanges), imageSha256 }
}

/** Returns the title of the image column. */
export function imageColumnOf(header: readonly string[], declared: string | undefined): string {
  const [index] = imageColumns(header, declared)
  return (index === undefined ? undefined : header[index]) ?? 'image'
}

/** @param otherChanges the names of changed columns that are not fields, such as the image column */
function correctionTo(
  known: KnownRow,
  recipient: Values,
  { pipeline, fields, hasher }: CorrectionTools,
  otherChanges: readonly string[] = [],
): Correction {
  const changedFields = [...differing(known.recipient, recipient), ...otherChanges]
  if (changedFields.length === 0)
    throw new CorrectionError('Nothing differs from the current credential, so there is nothing to correct.')
  const { rule, faults } = identityRuleOf(pipeline, fields)
  if (faults.length > 0) throw new CorrectionError(faults.join('\n'))
  try {
    const who = identify(recipient, known.courseUuid, rule, hasher, known.occasion ?? undefined)
    if (!who.issuanceKey.equals(known.issuanceKey)) throw new CorrectionError(identityChangedMessage(changedFields))
    return { recipient, ...who, changedFields }
  } catch (error) {
    if (error instanceof IdentityError) throw new CorrectionError(error.message)
    throw error
  }
}

function identityChangedMessage(changed: readonly string[]): string {
  return `With other values for ${changed.join(', ')} the row is another person, course or occasion for this pipeline (see its identity and occurrence settings): the ledger would not recognize the two as the same, and a later list could lead to a second credential. Revoke the current credential with \`credsync revoke\`, and issue the right data from a file.`
}

function differing(before: Values, after: Values): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.filter((name) => (before[name] ?? '') !== (after[name] ?? '')).sort()
}

function withoutEmptyValues(values: Values): Values {
  const filled: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(values)) if (value !== '') filled[name] = value
  return filled
}

/**
 * Returns a line such as `Last Name: L… (8 characters) → B… (5 characters)` for each field that differs. Values are
 * masked.
 */
export function correctionLines(before: Values, after: Values, fields: readonly Field[]): string[] {
  return differing(before, after).map((name) => {
    const field = fields.find((field) => field.displayName === name)
    const mask = (value: string | undefined) => {
      if (!value) return '(empty)'
      if (field && roleOf(field) === 'primary value') return value
      return field && isDateField(field) ? maskShape(value) : maskValue(value)
    }
    const [from, to] = [mask(before[name]), mask(after[name])]
    return `${name}: ${from} → ${to}${from === to ? ' (the values differ, but look the same when masked)' : ''}`
  })
}
