// zod schemas for the items of the eight reference lists: every documented key and no others.

import { z } from 'zod'
import { flag, lenientText, text, yesOrNo } from '../lenient-schemas.ts'

export const currencyShape = z.object({
  currency_uuid: text,
  name: text,
  code: text,
  symbol: lenientText,
  /** Documented as 0 or 1. */
  default: flag.transform((value) => value ?? false),
})
export type Currency = z.infer<typeof currencyShape>

export const languageShape = z.object({ language_uuid: text, name: text })
export type Language = z.infer<typeof languageShape>

export const templateShape = z.object({
  template_uuid: text,
  template_name: text,
  description: lenientText,
  /** Untrusted HTML: must never be displayed unescaped. */
  html_code: lenientText,
  /** Null for a template that belongs to no institute. */
  institute_id: lenientText,
  is_active: yesOrNo,
  created_at: lenientText,
})
/** A certificate or badge template: the list does not say which it is. */
export type Template = z.infer<typeof templateShape>

export const categoryShape = z.object({
  category_uuid: text,
  course_category: text,
  /** The code of the label's language. */
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
