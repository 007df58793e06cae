// Extracts the media type from a Content-Type, without its parameters. Pure.

/** Returns the media type in lower case; empty when there is none. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType?.split(';')[0] ?? '').trim().toLowerCase()
}
