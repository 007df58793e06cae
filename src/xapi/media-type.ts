// The media type that a Content-Type names, without its parameters.

/** In small letters; empty when it names none. */
export function mediaTypeOf(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase()
}
