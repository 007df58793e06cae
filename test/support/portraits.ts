// Images of people, each with a content of its own, and ZIPs of a list with images.

import { jpegImage, pngImage } from './images.ts'
import { buildZip } from './stored-zip.ts'

/** A PNG with `text` behind its end, so that two texts are two images. */
export function aPng(text: string): Buffer {
  return Buffer.concat([pngImage(), Buffer.from(text)])
}

/** The same as a JPEG, with the text in front. */
export function aJpeg(text: string): Buffer {
  return jpegImage(Buffer.from(text))
}

/** A ZIP of `list.csv` and images by their names. */
export function zipOfList(csv: string, images: Readonly<Record<string, Buffer>>): Buffer {
  return buildZip([
    { name: 'list.csv', content: csv },
    ...Object.entries(images).map(([name, content]) => ({ name, content })),
  ])
}
