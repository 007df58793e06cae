// Lists every endpoint of the service: its method and path, and the name under which it is counted and limited. Pure.

interface Route {
  method: 'GET' | 'POST' | 'PUT'
  /** The path below the base address; braces mark the parts that the caller fills in. */
  path: string
}

/**
 * Keyed by name. Each name has its own gate, except `refresh-token`, which shares the gate and the count of `token`,
 * because the service counts the two together as well.
 */
export const routes = {
  token: { method: 'POST', path: '/api/public/identity/v1/entityaccess/token' },
  'refresh-token': { method: 'POST', path: '/api/public/identity/v1/entityaccess/refresh/token' },
  'course-create': { method: 'POST', path: '/api/institute/v1/course' },
  'course-list': { method: 'POST', path: '/api/institute/v1/course/list' },
  'course-detail': { method: 'POST', path: '/api/institute/v3/course/detail' },
  'course-update': { method: 'PUT', path: '/api/institute/v1/course/{course_uuid}' },
  'course-status': { method: 'PUT', path: '/api/institute/v1/course/status/{course_uuid}/{course_status}' },
  'course-logo': { method: 'PUT', path: '/api/institute/v1/course/logo/{course_uuid}' },
  'module-list': { method: 'POST', path: '/api/institute/v1/module/list' },
  'field-list': { method: 'GET', path: '/api/institute/v1/course/recipients/fieldList/{course_uuid}' },
  'mail-template-list': { method: 'POST', path: '/api/certification/v1/customMailTemplate/list' },
  invite: { method: 'POST', path: '/api/certification/v1/quickIssuance/recipients/data/upload' },
  'sample-sheet': { method: 'POST', path: '/api/institute/v1/batch/download/sample-sheet' },
  'sample-data': { method: 'POST', path: '/api/institute/v1/batch/download/sample-data' },
  report: { method: 'POST', path: '/api/certification/v1/certificate/student/report' },
  'credential-download': { method: 'GET', path: '/api/certification/v1/certificate/downloadCertificate/{id}' },
  revoke: { method: 'POST', path: '/api/institute/v1/certificate/revoke' },
  'currency-list': { method: 'POST', path: '/api/institute/v1/course/currency/list' },
  'language-list': { method: 'POST', path: '/api/institute/v1/course/language/list' },
  'template-list': { method: 'POST', path: '/api/institute/v1/course/template/list' },
  'category-list': { method: 'POST', path: '/api/institute/v1/course/category/list' },
  'format-list': { method: 'POST', path: '/api/institute/v1/course/format/list' },
  'certification-body-list': { method: 'GET', path: '/api/institute/v1/institute/certification-body/list' },
  'sponsor-list': { method: 'POST', path: '/api/certification/v1/template/sponsor/list' },
  'signature-list': { method: 'POST', path: '/api/certification/v1/template/signature/list' },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes

/**
 * Returns the method and path of an endpoint, with its braces replaced by `parts` in order.
 * @throws UnusableIdError
 */
export function routeTo(name: RouteName, ...parts: string[]): Route {
  const { method, path } = routes[name]
  let next = 0
  return { method, path: path.replace(/\{\w+\}/g, () => segment(name, parts[next++] ?? '')) }
}

// A part that is empty or consists only of dots could turn the path into that of another endpoint, at a proxy or at the
// service.
function segment(name: RouteName, part: string): string {
  if (/^\.{0,2}$/.test(part.trim())) throw new UnusableIdError(name)
  return encodeURIComponent(part)
}

/** Thrown for an id that cannot be part of a URL path. */
export class UnusableIdError extends Error {
  override name = 'UnusableIdError'
  readonly endpoint: string

  constructor(endpoint: string) {
    super(
      `The id given for ${endpoint} is empty or consists only of dots, so nothing was requested. Give the uuid or id as the service shows it.`,
    )
    this.endpoint = endpoint
  }
}
