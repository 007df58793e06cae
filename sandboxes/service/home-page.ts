// The page at the root, for people: lists the sandbox's contents and endpoints. Shows no data of recipients.

import type { SandboxEndpoint } from './call.ts'
import { sandboxStatusLabels, statusAt } from './credential-request.ts'
import type { RouteContext } from './route-context.ts'

const approvals = { 1: 'approval pending', 2: 'approved', 3: 'on hold', 4: 'rejected' }
const audits = {
  0: 'not assigned',
  1: 'assigned',
  2: 'in progress',
  3: 'on hold',
  4: 'rejected',
  5: 'completed',
}

/** @param endpoints a function, because this page is one of the endpoints */
export function homeEndpoint(context: RouteContext, endpoints: () => readonly SandboxEndpoint[]): SandboxEndpoint {
  return {
    method: 'GET',
    path: '/',
    admits: 'anyone',
    answer: () => ({
      status: 200,
      contentType: 'text/html; charset=utf-8',
      body: page([
        section('Courses', ['number', 'name', 'approval', 'audit', 'enabled', 'uuid'], courseRows(context)),
        section('Credentials', ['state', 'count'], credentialRows(context)),
        section(
          'Endpoints',
          ['method', 'path'],
          endpoints().map(({ method, path }) => [method, path.replaceAll(/:(\w+)/g, '{$1}')]),
        ),
      ]),
    }),
  }
}

function courseRows({ courses }: RouteContext): string[][] {
  return courses.all().map((course) => {
    const { approval, audit } = courses.statusOf(course)
    const enabled = course.enabled ? 'enabled' : 'disabled'
    return [course.number, course.name, approvals[approval], audits[audit], enabled, course.uuid]
  })
}

function credentialRows({ requests, settings, clock }: RouteContext): string[][] {
  const counts = new Map<string, number>()
  const nowMs = clock.monotonicMs()
  for (const request of requests.all()) {
    const label = sandboxStatusLabels[statusAt(request, settings.pace, nowMs)] ?? 'unknown'
    const state = requests.revocation(request) ? `${label}, revoked` : label
    counts.set(state, (counts.get(state) ?? 0) + 1)
  }
  return [...counts].map(([state, count]) => [state, String(count)])
}

function section(title: string, header: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`
  if (rows.length === 0) return `<h2>${escaped(title)}</h2><p>None yet.</p>`
  const body = rows.map((cells) => row(cells, 'td')).join('\n')
  return `<h2>${escaped(title)}</h2>\n<table>\n${row(header, 'th')}\n${body}\n</table>`
}

// The content security policy forbids everything that the page does not use, in case a text is not escaped.
function page(sections: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Sandbox of the credential service</title>
<style>body{font:16px sans-serif;margin:2em}td,th{text-align:left;padding:.2em 1em .2em 0}</style>
</head>
<body>
<h1>Sandbox of the credential service</h1>
<p>Everything here is made up, kept in memory and forgotten when the sandbox ends.</p>
${sections.join('\n')}
</body>
</html>
`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '')
}
