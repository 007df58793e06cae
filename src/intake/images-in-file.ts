// Which images of a file somebody names, and which more than one person does: said once for the file.

import type { StagedRow } from '#src/ledger/intake.ts'
import { listNames } from '#src/sources/archive/list-names.ts'
import type { SourceImage } from '#src/sources/source.ts'

export class ImagesInFile {
  readonly #unnamed: Set<SourceImage>
  readonly #firstOf = new Map<SourceImage, { row: number; person: string }>()
  /** The first two rows of each image that two people name. */
  readonly #shared = new Map<SourceImage, [number, number]>()

  constructor(images: Iterable<SourceImage>) {
    this.#unnamed = new Set(images)
  }

  /** A row names an image. One that is refused names it for nobody. */
  add(image: SourceImage, { row, identityHash, violations }: StagedRow): void {
    this.#unnamed.delete(image)
    if (!identityHash || violations) return
    const person = identityHash.toString('base64')
    const first = this.#firstOf.get(image)
    if (!first) this.#firstOf.set(image, { row, person })
    else if (first.person !== person && !this.#shared.has(image)) this.#shared.set(image, [first.row, row])
  }

  notices(): string[] {
    const notices: string[] = []
    const [first] = this.#shared.values()
    if (first) {
      const names = listNames([...this.#shared.keys()].map(({ name }) => name))
      const many = this.#shared.size === 1 ? '1 image is' : `${this.#shared.size} images are`
      const rows = `${this.#shared.size === 1 ? '' : 'the first by '}rows ${first[0]} and ${first[1]}`
      notices.push(
        `${many} named by more than one person, and each of them gets it: ${names} (${rows}). Correct the list if that is not meant.`,
      )
    }
    const unnamed = [...this.#unnamed].map(({ name }) => name)
    const many = unnamed.length === 1 ? '1 image is' : `${unnamed.length} images are`
    if (unnamed.length > 0) notices.push(`${many} named by no row and will not be sent: ${listNames(unnamed)}.`)
    return notices
  }
}
