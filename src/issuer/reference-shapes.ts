// The items of the eight reference lists: every documented key, and no other.

import { z } from 'zod'
import { flag, softText, text, yesOrNo } from './lenient.ts'

export const currencyShape = z.object({
  currency_uuid: text,
  name: text,
  code: text,
  symbol: softText,
  /** Documented as 0 or 1. */
  default: flag.transform((value) => value ?? false),
})
export type Currency = z.infer<typeof currencyShape>

export const languageShape = z.object({ language_uuid: text, name: text })
export type Language = z.infer<typeof languageShape>

export const templateShape = z.object({
  template_uuid: text,
  template_name: text,
  description: softText,
  /** Somebody else's HTML: never to be shown as it stands. */
  html_code: softText,
  /** Null for a template of no institute. */
  institute_id: softText,
  is_active: yesOrNo,
  created_at: softText,
})
/** Certificate and badge templates alike: the list does not say which is which. */
export type Template = z.infer<typeof templateShape>

export const categoryShape = z.object({
  category_uuid: text,
  course_category: text,
  /** Of the label's language. */
  code: text,
  label: text,
})
export type Category = z.infer<typeof categoryShape>

export const formatShape = z.object({
  course_format_uuid: text,
  name: text,
  preferredLabels: z
    .array(z.object({ code: text, label: text }))
    .nullish()
    .transform((labels) => labels ?? []),
})
export type Format = z.infer<typeof formatShape>

export const certificationBodyShape = z.object({ certification_uuid: text, user_name: text })
export type CertificationBody = z.infer<typeof certificationBodyShape>

export const sponsorShape = z.object({ uuid: text, sponsor_name: text })
export type Sponsor = z.infer<typeof sponsorShape>

export const signatureShape = z.object({
  uuid: text,
  member_name: text,
  designation: z
    .object({ designation_name: text })
    .nullish()
    .transform((value) => value ?? null),
})
export type Signature = z.infer<typeof signatureShape>
