// Which xAPI is spoken: 1.0.x or 2.0.x, by the header of each request (xAPI 1.0.3, Communication 3.3).

/** In small letters. */
export const versionHeader = 'x-experience-api-version'

export type Edition = '1.0' | '2.0'

/** The latest patch of each edition, as answers and /about name it. */
export const spoken: Record<Edition, string> = { '1.0': '1.0.3', '2.0': '2.0.0' }

/** The version that an answer names: the latest patch of what was asked for, or of the newest edition. */
export function answered(asked: string | undefined): string {
  return spoken[editionOf(asked ?? '') ?? '2.0']
}

/** The version of a statement that names none: the data model is that of the first patch (Data 2.4.10). */
export const unnamed: Record<Edition, string> = { '1.0': '1.0.0', '2.0': '2.0.0' }

/** The edition that a version number belongs to; null for any other. The patch may be left out. */
export function editionOf(version: string): Edition | null {
  const found = /^([12]\.0)(?:\.\d+(?:[-+][\dA-Za-z.+-]+)?)?$/.exec(version)?.[1]
  return found === '1.0' || found === '2.0' ? found : null
}
