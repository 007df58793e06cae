// Prepares a correction, either from values or from a row of a list that names the credential. Reads the ledger; the
// fields of the course come from the service.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import { type CorrectionTools, proposeCorrection, proposeFromRow } from '#src/issuing/intake/propose-correction.ts'
import type { Pipelines } from '#src/issuing/pipelines/pipelines.ts'
import type { Ledger } from '#src/ledger/ledger.ts'
import type { Correction } from '#src/ledger/revocations/revocation.ts'
import type { RevocationTarget } from '#src/ledger/revocations/revocation-targets.ts'
import type { CorrectionTarget } from './correction-target.ts'
import { RefusedDecisionError } from './refused-decision-error.ts'

/** Values of fields by their display names, or a row of a run. */
export type WantedChange = { values: Readonly<Record<string, string>> } | { run: string; row: number }

export interface ProposedChange {
  correction: Correction
  /** The row that the correction comes from, such as `17 of march.csv`; null for values. */
  source: string | null
}

interface CorrectingParts {
  ledger: Pick<Ledger, 'hasher'>
  issuer: { fieldList(courseUuid: string): Promise<Field[]> }
  pipelines: Pipelines
}

/** @throws PipelineUnknownError; any error from reading the fields */
export async function correctionToolsFor(
  { ledger, issuer, pipelines }: CorrectingParts,
  { pipeline, courseUuid }: RevocationTarget,
): Promise<CorrectionTools & { pipeline: PipelineSettings }> {
  return {
    pipeline: pipelines.named(pipeline),
    fields: await issuer.fieldList(courseUuid),
    hasher: ledger.hasher,
  }
}

/**
 * @throws CorrectionError if the values are not valid, belong to a different person, or change nothing
 * @throws RefusedDecisionError if the row does not name the credential, or its image cannot be sent
 */
export async function proposeChange(
  { ledger }: { ledger: Pick<Ledger, 'runs' | 'revocations'> },
  target: CorrectionTarget,
  tools: CorrectionTools,
  change: WantedChange,
): Promise<ProposedChange> {
  if ('values' in change) return { correction: proposeCorrection(target, change.values, tools), source: null }
  const { run: runId, row } = change
  const run = await ledger.runs.find(runId)
  const matchingRow = run && (await ledger.revocations.namingRow(run.id, row, target.issuanceId))
  if (!run?.header || !run.format || !matchingRow)
    throw new RefusedDecisionError(
      `Row ${row} of run ${runId} does not name i${target.issuanceId}. \`credsync correct\` lists the rows that are waiting.`,
    )
  const { cells, image, imageKept, source } = matchingRow
  if (image && target.credentialId)
    throw new RefusedDecisionError(
      `An image came with row ${row} of ${source}, and a correction cannot send an image. Revoke the credential with \`credsync revoke i${target.issuanceId}\`, and issue the right data from a file.`,
    )
  if (image && !imageKept)
    throw new RefusedDecisionError(
      `The image that came with row ${row} of ${source} is no longer kept, and the old one would be sent in its place. Submit the list again with its images, and correct i${target.issuanceId} from that run.`,
    )
  const changedRow = { header: run.header, format: run.format, row, cells, image }
  return { correction: proposeFromRow(target, changedRow, tools), source: `${row} of ${source}` }
}
