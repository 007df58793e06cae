// A line item: one column of a platform's gradebook that a tool may write to. LTI Assignment and Grade Services 2.0, 3.2.

import { z } from 'zod'

export interface LineItem {
  /** Its address (`id` on the wire); scores and results are below it. */
  url: string
  label: string
  scoreMaximum: number
  /** Empty when the column belongs to no link. */
  resourceLinkId: string
  /** The tool's own id of what is graded; empty when none was given. */
  resourceId: string
  tag: string
}

const words = z.union([z.string(), z.number().transform(String)]).catch('')

export const lineItemShape = z
  .looseObject({
    id: z.string(),
    label: words,
    scoreMaximum: z.number(),
    resourceLinkId: words,
    resourceId: words,
    tag: words,
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
