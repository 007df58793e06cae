// A line item: one gradebook column of a platform that a tool may write to. LTI Assignment and Grade Services 2.0, 3.2.
// Pure.

import { z } from 'zod'

export interface LineItem {
  /** The URL of the line item (`id` in the JSON). The URLs of its scores and results start with it. */
  url: string
  label: string
  scoreMaximum: number
  /** Empty when the line item belongs to no resource link. */
  resourceLinkId: string
  /** The tool's own id for the graded resource; empty when none was set. */
  resourceId: string
  tag: string
}

const text = z.union([z.string(), z.number().transform(String)]).catch('')

export const lineItemShape = z
  .looseObject({
    id: z.string(),
    label: text,
    scoreMaximum: z.number(),
    resourceLinkId: text,
    resourceId: text,
    tag: text,
  })
  .transform(
    ({ id, label, scoreMaximum, resourceLinkId, resourceId, tag }): LineItem => ({
      url: id,
      label,
      scoreMaximum,
      resourceLinkId,
      resourceId,
      tag,
    }),
  )

export const lineItemsType = 'application/vnd.ims.lis.v2.lineitemcontainer+json'
