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

/** A picture of the person that is nobody else's. */
export const imageOf = (n: number) => (n % 2 === 0 ? aPng(`person ${n}`) : aJpeg(`person ${n}`))
export const nameOf = (n: number) => `photos/Person ${n}.${n % 2 === 0 ? 'png' : 'JPG'}`

/** A ZIP of people `from` to `to`, each with an image, and whatever else. */
export function peopleZip(from: number, to: number, more: Record<string, Buffer> = {}): Buffer {
  const people = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  const rows = people.map((n) => `person.${n}@example.org,Ada${n},Lovelace,${nameOf(n)}`)
  const images = Object.fromEntries(people.map((n) => [nameOf(n), imageOf(n)]))
  return zipOfList(['e_mail,First Name,Last Name,Photo', ...rows, ''].join('\n'), { ...images, ...more })
}
