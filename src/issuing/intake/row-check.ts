// Converts source rows into rows for the ledger: plans the columns once, then validates and identifies each row.
// Invalid rows, and people who appear twice under different identities, are rejected. Does no I/O, but keeps values of
// the file's earlier rows in memory.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { IdentityError, identify, identityOf } from '#src/domain/credential/person-hashes.ts'
import { PersonIndex } from '#src/domain/credential/person-index.ts'
import { checkRow } from '#src/domain/recipient/check-row.ts'
import { cleanText } from '#src/domain/recipient/clean-text.ts'
import { isResultColumn } from '#src/domain/recipient/column-name-meaning.ts'
import { type ColumnFault, type ColumnPlan, type ColumnSpec, placeOfColumn } from '#src/domain/recipient/column-plan.ts'
import { compileRules, type Rules } from '#src/domain/recipient/compile-rules.ts'
import { describeFirstRow } from '#src/domain/recipient/describe-first-row.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import { nameFieldsOf, roleOf } from '#src/domain/recipient/field-role.ts'
import { imageColumns } from '#src/domain/recipient/image-column.ts'
import { planColumns } from '#src/domain/recipient/plan-columns.ts'
import { type RowOrigin, remedyOfRule } from '#src/domain/recipient/remedy-of-rule.ts'
import { type SharedValues, uniqueWithinFile } from '#src/domain/recipient/unique-within-file.ts'
import type { Violation } from '#src/domain/recipient/violation.ts'
import { namesColumn, planWhere, type WherePlan } from '#src/domain/recipient/who-is-meant.ts'
import { findAddedColumns } from '#src/files/tables/added-columns.ts'
import { makeStorable } from '#src/files/tables/check-row-shape.ts'
import type { SourceRow } from '#src/files/tables/source.ts'
import { identityRuleOf } from '#src/issuing/pipelines/identity-rule.ts'
import type { StagedRow } from '#src/ledger/runs/intake.ts'
import { listColumns } from './list-columns.ts'

export class PlanError extends Error {
  override readonly name = 'PlanError'
  /**
   * @param header the row that was read as column names, if a fault may be caused by it
   * @param options.fileNotices notices about the file that may explain the fault
   */
  constructor(
    faults: readonly string[],
    header: readonly string[] | null = null,
    { fileNotices = [], completionsOf }: Pick<RowCheckInput, 'fileNotices' | 'completionsOf'> = {},
  ) {
    const columns =
      header && (completionsOf ? `A completion has the columns ${header.join(', ')}.` : describeFirstRow(header))
    const listed = [...faults.map((fault) => `- ${fault}`), ...(columns === null ? [] : [columns, ...fileNotices])]
    const source = completionsOf ? `Completions of ${completionsOf}` : 'The file'
    super(`${source} cannot be matched to the course:\n${listed.map((line) => `  ${line}`).join('\n')}`)
  }
}

export interface RowCheck {
  row(source: SourceRow): StagedRow
  /** Which column fills which field. */
  plan: ColumnPlan
  where: WherePlan
  /** Display names of the fields that hold a person's name. */
  nameFields: readonly string[]
  /**
   * Null if every row identifies people by the same field. Otherwise, the fields that make a second credential for the
   * same person legitimate.
   */
  primaryVaries: { occurrence: readonly string[] } | null
  /** The fields that distinguish people, and those that distinguish occasions, with the columns that fill them. */
  identified: { identity: readonly string[]; occurrence: readonly string[]; plan: ColumnPlan }
  notices: readonly string[]
  /**
   * Unique values that have been found for two people so far. If there are more than were passed in, the rows must be
   * checked again with these values.
   */
  shared(): SharedValues
}

export interface RowCheckInput {
  pipeline: Pick<PipelineSettings, 'columns' | 'identity' | 'occurrence' | 'correlation'> &
    Partial<Pick<PipelineSettings, 'batch' | 'where'>>
  fields: readonly Field[]
  header: readonly string[]
  course: string
  hasher: Hasher
  /** The current day as YYYY-MM-DD: a date of birth cannot be later. */
  today?: string
  /** Notices from opening the file, for example about its other sheets. */
  fileNotices?: readonly string[]
  /** The learning system that the completions come from; omitted for a file. */
  completionsOf?: string | undefined
  /** Values that an earlier reading of the same rows found for more than one person. */
  shared?: SharedValues
}

/** @throws PlanError with every fault of the columns */
export function openRowCheck(input: RowCheckInput): RowCheck {
  const { pipeline, fields, header, course, hasher } = input
  const { where = {} } = pipeline
  const added = findAddedColumns(header)
  // A course may have a field called Row or Rule, but columns that credsync added never fill a field.
  const sourceColumns = header.map((name, index) => (added.all.has(index) ? '' : name))
  const planned = planColumns(sourceColumns, pipeline.columns as Record<string, ColumnSpec>, fields)
  const { plan, faults } = planned
  const meant = planWhere(where, sourceColumns.map(cleanText))
  const unusedColumns = planned.unusedColumns.filter(
    (name) => !namesColumn(where, name) && !namesImages(name, pipeline.batch),
  )
  const identity = identityRuleOf(pipeline, fields)
  const allFaults = [...faults.map((fault) => fault.sentence), ...meant.faults, ...identity.faults]
  const isAboutColumns = meant.faults.length > 0 || faults.some(isAboutHeader)
  if (allFaults.length > 0) throw new PlanError(allFaults, isAboutColumns ? header : null, input)
  const rules = compileRules(fields, input.today)
  const origin = input.completionsOf === undefined ? 'file' : 'learning system'
  const unique = uniqueWithinFile(fields, plan, input.shared)
  const nameFields = nameFieldsOf(fields)
  const primaryVaries = identity.rule.identity.length === 0 && !hasOnePrimary(plan)
  const duplicatePeople = primaryVaries ? openDuplicatePersonCheck(nameFields, origin) : null
  const personIn = (values: Readonly<Record<string, string>>): NamedPerson | null => {
    const identityHash = identityOf(values, identity.rule, hasher)
    return identityHash && { identityHash, names: namesIn(values, nameFields) }
  }
  const notices = uncheckedRuleNotices(rules, plan)
  const resultColumns = origin === 'file' ? unusedColumns.filter(isResultColumn) : []
  const otherColumns = unusedColumns.filter((name) => !resultColumns.includes(name))
  if (resultColumns.length > 0)
    notices.push(
      `These columns look as if they say who passed, but nothing uses them, so they leave nobody out: ${listColumns(resultColumns)}. Name them in the pipeline’s setting where, with the values that count.`,
    )
  if (otherColumns.length > 0)
    notices.push(
      `These columns fill no field of the course; they are only copied into the results: ${listColumns(otherColumns)}.`,
    )

  return {
    notices,
    plan,
    where: meant,
    nameFields,
    primaryVaries: primaryVaries ? { occurrence: identity.rule.occurrence } : null,
    identified: { identity: identity.rule.identity, occurrence: identity.rule.occurrence, plan },
    shared: unique.shared,
    row(source) {
      const staged = { row: source.row, cells: source.cells.map((cell) => makeStorable(cell)), raw: source.raw }
      const refuse = (violations: object[], person?: NamedPerson | null) => refusedRow(staged, violations, person)
      if (source.problem) return refuse([{ row: source.row, column: '', field: '', value: '', ...source.problem }])
      const notMeant = meant.violationOf(source)
      if (notMeant) return refuse([notMeant])
      const checked = checkRow(source, plan, rules, origin)
      const violations = [...checked.violations, ...markerViolations(source, added.toEmpty, header)]
      const { recipient } = checked
      if (!recipient || violations.length > 0) return refuse(violations, personIn(checked.values))
      try {
        const who = identify(recipient, course, identity.rule, hasher, source.occasion)
        const { identityHash } = who
        const conflicts = unique.check(source.row, recipient, identityHash.toString('hex'))
        conflicts.push(...(duplicatePeople?.check(source.row, recipient) ?? []))
        return conflicts.length > 0
          ? refuse(conflicts, { identityHash, names: namesIn(recipient, nameFields) })
          : { ...staged, violations: null, recipient, ...who, renews: source.occasion !== undefined }
      } catch (error) {
        if (!(error instanceof IdentityError)) throw error
        return refuse([identityViolation(error, plan, source.row)])
      }
    },
  }
}

/** Returns whether every row identifies people by the same field. */
function hasOnePrimary(plan: ColumnPlan): boolean {
  const primary = plan.find(({ field }) => roleOf(field) === 'primary value')
  return primary === undefined || primary.source.kind === 'constant'
}

function namesIn(values: Readonly<Record<string, string>>, nameFields: readonly string[]): Record<string, string> {
  return Object.fromEntries(nameFields.flatMap((field) => (values[field] ? [[field, values[field]]] : [])))
}

function isAboutHeader({ kind }: ColumnFault): boolean {
  return kind === 'column_missing' || kind === 'required_field'
}

/** Rejects a resubmitted row that was rejected for a reason its cells do not show, until the marker cell is emptied. */
function markerViolations(source: SourceRow, toEmpty: readonly number[], header: readonly string[]): Violation[] {
  const marked = toEmpty.find((index) => source.cells[index]?.trim())
  if (marked === undefined) return []
  const column = header[marked] as string
  const sentence = `The row was rejected before, for the reason that is still in “${column}”. Fix the problem, and then empty that cell.`
  return [{ row: source.row, column, field: '', rule: 'not_mended', value: '', sentence }]
}

/** Returns whether this is the image column, which fills no field but is read if images are sent. */
function namesImages(column: string, batch: PipelineSettings['batch'] | undefined): boolean {
  return batch?.mode === 'upload' && imageColumns([column], batch.imageColumn).length > 0
}

function identityViolation(error: IdentityError, plan: ColumnPlan, row: number): Violation {
  const planned = plan.find(({ field }) => field.displayName === error.field)
  const place = planned ? placeOfColumn(planned, row) : { row, column: '', field: error.field }
  return { ...place, rule: 'identity', value: '', sentence: error.message }
}

interface DuplicatePersonCheck {
  /**
   * Must be called once for each valid row, in order. The first row of a person is accepted; a later row of the same
   * person with a different Primary Value is a violation.
   * @returns the violation, or an empty array
   */
  check(row: number, recipient: Readonly<Record<string, string>>): Violation[]
}

/**
 * Detects people who appear twice under different identities, in a file whose rows identify people by different fields.
 * @param nameFields the display names of the name fields
 */
export function openDuplicatePersonCheck(
  nameFields: readonly string[],
  origin: RowOrigin = 'file',
): DuplicatePersonCheck {
  const people = new PersonIndex(nameFields)
  return {
    check(row, recipient) {
      const first = people.find(recipient)
      people.add(row, recipient)
      return first === null ? [] : [duplicateViolation(row, first, origin)]
    },
  }
}

function duplicateViolation(row: number, first: number, origin: RowOrigin): Violation {
  const remedy =
    origin === 'file'
      ? 'Remove one of the two rows, or give both the same Primary Value.'
      : remedyOfRule('person_twice', '', origin)
  const sentence = `The row names the same person as row ${first}, but with a different Primary Value. ${remedy}`
  return { row, column: '', field: 'Primary Value', rule: 'person_twice', value: '', sentence }
}

/**
 * Lists the rules of a course that credsync cannot check, once for each file: a row that is accepted here may still be
 * refused by the service. Only fields that are filled from a column of the file are listed, because constants are set
 * in the configuration.
 */
function uncheckedRuleNotices(rules: Rules, plan: ColumnPlan): string[] {
  const filled = new Set(plan.flatMap(({ field, source }) => (source.kind === 'column' ? [field.displayName] : [])))
  const warnings = rules.warnings.filter(({ field }) => filled.has(field)).map(({ sentence }) => sentence)
  const choices = rules.unlistedChoices.filter((field) => filled.has(field)).map((field) => `“${field}”`)
  if (choices.length === 0) return warnings
  const names = choices.length > 1 ? `${choices.slice(0, -1).join(', ')} and ${choices.at(-1)}` : choices[0]
  const sentence = `The service does not list the choices for ${names}, so credsync accepts any value. The service checks the values when it receives the rows.`
  return [...warnings, sentence]
}

/**
 * The person in a rejected row, if the identity could be determined. It is kept because another row may have a
 * different name for the same identity.
 */
interface NamedPerson {
  identityHash: Buffer
  /** The values of the name fields, by display name. */
  names: Readonly<Record<string, string>>
}

/** Returns `row` as rejected: with its violations, and without the data needed to send it. */
export function refusedRow(
  row: Pick<StagedRow, 'row' | 'cells' | 'raw'>,
  violations: readonly object[],
  person: NamedPerson | null = null,
): StagedRow {
  const { row: number, cells, raw } = row
  const { identityHash, names } = person ?? { identityHash: null, names: null }
  return { row: number, cells, raw, violations, recipient: names, issuanceKey: null, identityHash, matchHashes: null }
}
