// Makes images of people, each with different content, and ZIPs of a list with images. Pure.

import { buildZip } from './build-zip.ts'
import { jpegImage, pngImage } from './images.ts'

/** Returns a PNG with `text` after its end, so that each text gives a different image. */
export function aPng(text: string): Buffer {
  return Buffer.concat([pngImage(), Buffer.from(text)])
}

/** Returns a JPEG with `text` at the start, so that each text gives a different image. */
export function aJpeg(text: string): Buffer {
  return jpegImage(Buffer.from(text))
}

/** Returns a ZIP of `list.csv` and images by file name. */
export function zipOfList(csv: string, images: Readonly<Record<string, Buffer>>): Buffer {
  return buildZip([
    { name: 'list.csv', content: csv },
    ...Object.entries(images).map(([name, content]) => ({ name, content })),
  ])
}

/** Returns an image whose content is unique to person `n`. */
export const imageOf = (n: number) => (n % 2 === 0 ? aPng(`person ${n}`) : aJpeg(`person ${n}`))
export const imagePath = (n: number) => `photos/Person ${n}.${n % 2 === 0 ? 'png' : 'JPG'}`

/** Returns a ZIP of people `from` to `to` with an image each, and more members if given. */
export function peopleZip(from: number, to: number, more: Record<string, Buffer> = {}): Buffer {
  const people = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  const rows = people.map((n) => `person.${n}@example.org,Ada${n},Lovelace,${imagePath(n)}`)
  const images = Object.fromEntries(people.map((n) => [imagePath(n), imageOf(n)]))
  return zipOfList(['e_mail,First Name,Last Name,Photo', ...rows, ''].join('\n'), { ...images, ...more })
}
