// Finds images that no row names, and images that more than one person names, and reports them once for the file. In
// memory only.

import type { SourceImage } from '#src/files/tables/source.ts'
import { listNames } from '#src/files/tables/zip-source/list-names.ts'
import type { StagedRow } from '#src/ledger/runs/intake.ts'

export class ImagesInFile {
  readonly #unnamed: Set<SourceImage>
  readonly #firstOf = new Map<SourceImage, { row: number; person: string }>()
  /** For each image that more than one person names, the rows of the first two people. */
  readonly #shared = new Map<SourceImage, [number, number]>()

  constructor(images: Iterable<SourceImage>) {
    this.#unnamed = new Set(images)
  }

  /**
   * Records that a row names an image. An image that is named only by rejected rows counts as named, but belongs to
   * no one.
   */
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
        `${many} named by rows of more than one person, all of whom will get the same image: ${names} (${rows}). Correct the list if this is not intended.`,
      )
    }
    const unnamed = [...this.#unnamed].map(({ name }) => name)
    const many = unnamed.length === 1 ? '1 image is' : `${unnamed.length} images are`
    if (unnamed.length > 0) notices.push(`${many} not named by any row and will not be sent: ${listNames(unnamed)}.`)
    return notices
  }
}
