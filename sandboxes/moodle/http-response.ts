// Formats responses as Moodle does: JSON with PHP's escapes (all captures), and pages. Pure.

import type { SiteError } from './moodle-error.ts'

export interface HttpResponse {
  status: number
  contentType: string
  body: string
}

/** Escapes slashes and everything outside ASCII, as PHP does in the captures. */
export function phpJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function jsonAnswer(value: unknown): HttpResponse {
  return { status: 200, contentType: 'application/json', body: phpJson(value) }
}

export function jsonError({ exception, errorcode, message }: SiteError): HttpResponse {
  return jsonAnswer({ exception, errorcode, message })
}

/** Capture 35: HTTP 503 and a page. */
export function maintenancePage(siteName: string): HttpResponse {
  const title = `${siteName} under maintenance`
  const message = 'The site is undergoing maintenance and is currently not available'
  return page(503, title, message)
}

/** The page with status 404 for a wrong path (section 1.2); its text was not captured. */
export function notFoundPage(): HttpResponse {
  return page(404, 'Not found', 'There is no such page')
}

function page(status: number, title: string, message: string): HttpResponse {
  const body =
    `<!DOCTYPE html>\n<html  lang="en" xml:lang="en">\n<head><title>${title}</title></head>\n` +
    `<body><h1>${title}</h1><div>${message}</div></body>\n</html>\n`
  return { status, contentType: 'text/html; charset=utf-8', body }
}
