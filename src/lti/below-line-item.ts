// The addresses below a line item. Its own address may carry a query (Moodle's says `?type_id=1`), which stays behind the longer path:
// LTI Assignment and Grade Services 2.0, 3.3 and 3.4.

export function scoresOf(lineItem: URL): string {
  return below(lineItem, 'scores').href
}

export function resultsOf(lineItem: URL, userId: string): string {
  const url = below(lineItem, 'results')
  url.search = `${url.search}${url.search ? '&' : '?'}user_id=${encodeURIComponent(userId)}`
  return url.href
}

function below(lineItem: URL, name: string): URL {
  const url = new URL(lineItem)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${name}`
  url.hash = ''
  return url
}
