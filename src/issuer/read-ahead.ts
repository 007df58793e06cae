// Requests the next pages of a list while earlier ones are still being processed.

export interface ReadAhead<Page> extends AsyncDisposable {
  /** Requests the pages from one number to another, unless that has been done. */
  request(from: number, to: number): void
  /** Returns a page, requested now or earlier. Rejects with the error of its request. */
  take(pageNumber: number): Promise<Page>
}

/** Disposing waits for the requests under way, whose pages nobody takes any more. */
export function openReadAhead<Page>(fetch: (pageNumber: number) => Promise<Page>): ReadAhead<Page> {
  const requested = new Map<number, Promise<Page>>()
  const begin = (pageNumber: number) => {
    const page = fetch(pageNumber)
    // An error is reported to whoever takes the page.
    page.catch(() => {})
    requested.set(pageNumber, page)
    return page
  }
  return {
    request(from, to) {
      for (let pageNumber = from; pageNumber <= to; pageNumber++) if (!requested.has(pageNumber)) begin(pageNumber)
    },
    take(pageNumber) {
      const page = requested.get(pageNumber) ?? begin(pageNumber)
      requested.delete(pageNumber)
      return page
    },
    [Symbol.asyncDispose]: async () => void (await Promise.allSettled(requested.values())),
  }
}
