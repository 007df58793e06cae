// Builds the URLs of a line item's scores and results. If the line item's URL has a query (Moodle's has `?type_id=1`),
// the query is kept after the longer path: LTI Assignment and Grade Services 2.0, 3.3 and 3.4. Pure.

export function scoresUrl(lineItem: URL): string {
  return withPathSuffix(lineItem, 'scores').href
}

export function resultsUrl(lineItem: URL, userId: string): string {
  const url = withPathSuffix(lineItem, 'results')
  url.search = `${url.search}${url.search ? '&' : '?'}user_id=${encodeURIComponent(userId)}`
  return url.href
}

function withPathSuffix(lineItem: URL, name: string): URL {
  const url = new URL(lineItem)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${name}`
  url.hash = ''
  return url
}
