// The courses that every sandbox starts with: two that can issue, one that waits for approval, one that is switched off.

import { type FieldDescriptor, recipientFields } from './recipient-fields.ts'

export interface Template {
  uuid: string
  name: string
}

export interface Course {
  uuid: string
  number: string
  name: string
  category: string
  description: string
  /** 1 pending, 2 approved, 3 on hold, 4 rejected. */
  approvalStatus: 1 | 2 | 3 | 4
  /** 0 not assigned to 5 completed. */
  auditStatus: 0 | 1 | 2 | 3 | 4 | 5
  enabled: boolean
  /** Months from issue to the end of validity; null for a credential that does not expire. */
  validMonths: number | null
  templates: readonly [Template, ...Template[]]
  badgeTemplates: readonly [Template, ...Template[]]
  fields: readonly FieldDescriptor[]
  /** The column of an upload's sheet that names each recipient's image; null where the template shows none. */
  imageColumn: string | null
}

const usual = { approvalStatus: 2, auditStatus: 5, enabled: true, fields: recipientFields, imageColumn: null } as const

/** Fixed uuids, so that a configuration written for the sandbox stays good. */
export const seededCourses: readonly Course[] = [
  {
    ...usual,
    uuid: '8d7c2b54-6f0e-4a1d-9b3c-5e2f7a9d0c11',
    number: 'WELD-1',
    name: 'Welding Basics',
    category: 'Trades',
    description: '<p>Safe arc welding for beginners.</p>',
    validMonths: 24,
    imageColumn: 'Photo',
    templates: [{ uuid: '1f0a7d3e-2c84-4b96-8e51-0d6b9a4c7f21', name: 'Trades certificate' }],
    badgeTemplates: [{ uuid: '77b2e9c0-5a1f-4d38-b6e4-3c8f1d0a9e31', name: 'Trades badge' }],
  },
  {
    ...usual,
    uuid: 'c41e8f90-3b7a-4e25-a8d6-9f0b1c2d3e12',
    number: 'SAFE-2',
    name: 'Safety at Work',
    category: 'Compliance',
    description: '<p>The yearly safety instruction.</p>',
    validMonths: null,
    templates: [{ uuid: '2e9b4c6a-7d15-4f83-9a02-6c5d8e7f1b22', name: 'Compliance certificate' }],
    badgeTemplates: [{ uuid: '5d3f8a1b-0c47-4e69-8b7d-2a1e6f9c4d32', name: 'Compliance badge' }],
  },
  {
    ...usual,
    uuid: 'e5a90d37-1c62-4b8f-b04e-7d8c9a0b1f13',
    number: 'CRANE-3',
    name: 'Crane Operation',
    category: 'Trades',
    description: '<p>Not yet looked at by the certification body.</p>',
    approvalStatus: 1,
    auditStatus: 0,
    validMonths: 60,
    templates: [{ uuid: '3c8d5e7f-9a26-4071-8b13-4e6f7a8b9c23', name: 'Crane certificate' }],
    badgeTemplates: [{ uuid: '6e4a9b2c-1d58-4f70-9c8e-3b2f7a0d5e33', name: 'Crane badge' }],
  },
  {
    ...usual,
    uuid: 'f6b01e48-2d73-4c90-815f-8e9d0b1c2a14',
    number: 'TYPE-4',
    name: 'Typewriting',
    category: 'Office',
    description: '<p>No longer offered.</p>',
    enabled: false,
    validMonths: null,
    templates: [{ uuid: '4d9e6f80-0b37-4182-9c24-5f708b9c0d24', name: 'Office certificate' }],
    badgeTemplates: [{ uuid: '7f5b0c3d-2e69-4081-8d9f-4c308b1e6f34', name: 'Office badge' }],
  },
]
