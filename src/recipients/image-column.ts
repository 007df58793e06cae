// Which column of a table is about images: a source's names them, and a sample sheet of the service says where their names go.

import { looseName } from './loose-name.ts'

// As people and templates call it, in the languages of those who write to us. Only names are looked at, so "Image" and "Photo of the person"
// are found and "Image rights" is too; photovoltaics, photography and Ausbildung are courses, and are not.
const telling =
  /image|(?:ph|f)oto(?!v|graph(?:y|i|er)|graf(?:ie|in|er|isch|$))|portr(?:ai|ä|e)t|picture|headshot|avatar|retrato|ritratto|immagine|imagen|billede/
const bare =
  /^(?:your|the|my)?(?:recipient|student|person|profile|id)?(?:image|(?:ph|f)oto(?:graph|grafia|grafía)?|portr(?:ai|ä|e)t|picture|headshot|avatar|retrato|ritratto|immagine|imagen|billede|bilde?|(?:pass|licht|profil)(?:bild|(?:ph|f)oto))(?:file|name|filename|datei)?s?$/

/**
 * The positions of the columns that may be meant: of the one called `wanted`, or without a wish of those whose name says image, photo,
 * portrait, picture, Bild or the like. Names compare without case, spaces and underscores. None or several are for the caller to judge.
 */
export function imageColumns(header: readonly string[], wanted?: string): number[] {
  const meant = (name: string) =>
    wanted === undefined ? telling.test(name) || bare.test(name) : name === looseName(wanted)
  return header.flatMap((title, index) => (meant(looseName(title)) ? [index] : []))
}

/** Of the columns whose names may mean images the one that is called so and nothing else, as Photo is beside Photo consent; without one, all. */
export function likelyImageColumns(header: readonly string[]): number[] {
  const found = imageColumns(header)
  const called = found.filter((index) => bare.test(looseName(header[index] ?? '')))
  return called.length === 1 ? called : found
}

/**
 * Whether `value` in the column called `title`, one that may be about images, names an image: anything does where the title says image
 * and nothing else; where it says more, as in "Photo consent", only what looks like a file or an address does.
 */
export function namesImage(title: string, value: string): boolean {
  return bare.test(looseName(title))
    ? value !== ''
    : /^https?:|\.(?:jpe?g|jfif|png|gif|webp|heic|heif|tiff?|bmp)\b/i.test(value)
}
