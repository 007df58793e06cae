// Finds the columns that name images, by the names of the columns: in a source file, and in a sample sheet of the
// service, which shows where the image names belong. Pure.

import { looseName } from './loose-name.ts'

// These are names that people and templates use, in our users' languages. Only names are checked, so "Image" and "Photo
// of the person" match, and "Image rights" does too. Photovoltaics, photography and Ausbildung are courses, and do not
// match.
const mentionsImage =
  /image|(?:ph|f)oto(?!v|graph(?:y|i|er)|graf(?:ie|in|er|isch|$))|portr(?:ai|ä|e)t|picture|headshot|avatar|retrato|ritratto|immagine|imagen|billede/
const meansImage =
  /^(?:your|the|my)?(?:recipient|student|person|profile|id)?(?:image|(?:ph|f)oto(?:graph|grafia|grafía)?|portr(?:ai|ä|e)t|picture|headshot|avatar|retrato|ritratto|immagine|imagen|billede|bilde?|(?:pass|licht|profil)(?:bild|(?:ph|f)oto))(?:file|name|filename|datei)?s?$/

/**
 * Finds the positions of candidate columns: those called `wanted`, or without `wanted` those whose name contains image,
 * photo, portrait, picture, Bild or a similar word. Case, spaces and underscores are ignored. The caller decides what
 * to do if there is no candidate, or more than one.
 */
export function imageColumns(header: readonly string[], wanted?: string): number[] {
  const isCandidate = (name: string) =>
    wanted === undefined ? mentionsImage.test(name) || meansImage.test(name) : name === looseName(wanted)
  return header.flatMap((title, index) => (isCandidate(looseName(title)) ? [index] : []))
}

/**
 * Returns the one candidate whose whole name means image, such as Photo next to Photo consent. If there is not exactly
 * one, returns all candidates.
 */
export function likelyImageColumns(header: readonly string[]): number[] {
  const found = imageColumns(header)
  const exact = found.filter((index) => meansImage.test(looseName(header[index] ?? '')))
  return exact.length === 1 ? exact : found
}

/**
 * Decides whether `value`, in a candidate column called `title`, names an image. If the whole title means image, any
 * value does. If the title says more, such as "Photo consent", only a file name or a web address does.
 */
export function namesImage(title: string, value: string): boolean {
  return meansImage.test(looseName(title))
    ? value !== ''
    : /^https?:|\.(?:jpe?g|jfif|png|gif|webp|heic|heif|tiff?|bmp)\b/i.test(value)
}
