// The version of xAPI that requests and answers name in a header (xAPI 1.0.3, Communication 3.3). Pure.

/** The name of the header, in lower case. */
export const versionHeader = 'x-experience-api-version'

/** The latest patch version of each version that is taken. */
export const takenVersions = ['1.0.3', '2.0.0'] as const

/** Returns the version to answer in; null for a version that is not taken, and for none. */
export function takenVersion(requested: string | undefined): string | null {
  const line = /^(\d\.\d)(\.\d+)?$/.exec(requested ?? '')?.[1]
  return takenVersions.find((version) => version.slice(0, 3) === line) ?? null
}

export function answerVersion(requested: string | undefined): string {
  return takenVersion(requested) ?? takenVersions[0]
}
