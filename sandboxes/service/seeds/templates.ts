// The organization's templates for certificates and badges, which the service lists together.

import { type FieldDescriptor, textField } from '#sandboxes/service/recipient-fields.ts'
import { uuidFor } from '#sandboxes/service/uuid.ts'

export interface SeedTemplate {
  uuid: string
  name: string
  kind: 'certificate' | 'badge'
  description: string
  active: boolean
  createdAt: string
  /** The column of an upload's sheet that names each recipient's image; null if the template shows no image. */
  imageColumn: string | null
  /** The recipient fields that the template requires in addition to the usual ones. */
  extraFields: readonly FieldDescriptor[]
}

const diplomaFields: readonly FieldDescriptor[] = [
  { ...textField('salutation', 'Salutation', 30, 'Ms'), input_type: 'drop-down' },
  textField('batch_branch_name', 'Batch Branch Name', 128, 'Class of 2026'),
  textField('other', 'Other', 256, 'with distinction'),
]

/**
 * Keyed by the name that courses use here. The first eight have fixed uuids, because configurations may contain them;
 * the others' uuids are derived from their names.
 */
export const templates = {
  trades: certificate('Trades certificate', { uuid: '1f0a7d3e-2c84-4b96-8e51-0d6b9a4c7f21', imageColumn: 'Photo' }),
  tradesBadge: badge('Trades badge', '77b2e9c0-5a1f-4d38-b6e4-3c8f1d0a9e31'),
  compliance: certificate('Compliance certificate', { uuid: '2e9b4c6a-7d15-4f83-9a02-6c5d8e7f1b22' }),
  complianceBadge: badge('Compliance badge', '5d3f8a1b-0c47-4e69-8b7d-2a1e6f9c4d32'),
  crane: certificate('Crane certificate', { uuid: '3c8d5e7f-9a26-4071-8b13-4e6f7a8b9c23' }),
  craneBadge: badge('Crane badge', '6e4a9b2c-1d58-4f70-9c8e-3b2f7a0d5e33'),
  office: certificate('Office certificate', { uuid: '4d9e6f80-0b37-4182-9c24-5f708b9c0d24' }),
  officeBadge: badge('Office badge', '7f5b0c3d-2e69-4081-8d9f-4c308b1e6f34'),
  diploma: certificate('Academic diploma', { extraFields: diplomaFields }),
  diplomaBadge: badge('Academic badge'),
  digital: certificate('Digital skills certificate'),
  digitalBadge: badge('Digital skills badge'),
  plain: certificate('Certificate of attendance'),
  old: certificate('Certificate of 1998', { active: false }),
} satisfies Record<string, SeedTemplate>

function certificate(name: string, more: Partial<SeedTemplate> = {}): SeedTemplate {
  return {
    uuid: uuidFor(`template ${name}`),
    name,
    kind: 'certificate',
    description: `${name} on one page, A4`,
    active: true,
    createdAt: '2025-09-01T08:00:00.000Z',
    imageColumn: null,
    extraFields: [],
    ...more,
  }
}

function badge(name: string, uuid = uuidFor(`template ${name}`)): SeedTemplate {
  return { ...certificate(name), uuid, kind: 'badge', description: `${name}, square` }
}

export const allTemplates: readonly SeedTemplate[] = Object.values(templates)
