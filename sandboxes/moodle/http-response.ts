// Formats responses as Moodle does: JSON with PHP's escapes (all captures), or XML if no format was requested (section
// 1.2). Pure.

import { SiteError } from './moodle-error.ts'

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

/**
 * Formats a response to a call without moodlewsrestformat. The element names are those of Moodle's source
 * (webservice/rest/locallib.php).
 */
export function xmlAnswer(value: unknown): HttpResponse {
  const inner =
    value instanceof SiteError
      ? `<EXCEPTION class="${escaped(value.exception)}">\n<ERRORCODE>${escaped(value.errorcode)}</ERRORCODE>\n` +
        `<MESSAGE>${escaped(value.message)}</MESSAGE>\n</EXCEPTION>\n`
      : `<RESPONSE>\n${element(value)}</RESPONSE>\n`
  return { status: 200, contentType: 'application/xml', body: `<?xml version="1.0" encoding="UTF-8" ?>\n${inner}` }
}

function element(value: unknown): string {
  if (value === null || value === undefined) return '<VALUE null="null"/>\n'
  if (Array.isArray(value)) return `<MULTIPLE>\n${value.map(element).join('')}</MULTIPLE>\n`
  if (typeof value === 'object') {
    const keys = Object.entries(value).map(([name, each]) => `<KEY name="${escaped(name)}">${element(each)}</KEY>\n`)
    return `<SINGLE>\n${keys.join('')}</SINGLE>\n`
  }
  // PHP writes true as 1 and false as an empty string.
  const text = typeof value === 'boolean' ? (value ? '1' : '') : String(value)
  return `<VALUE>${escaped(text)}</VALUE>\n`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Capture 35: HTTP 503 and a page. */
export function maintenancePage(siteName: string): HttpResponse {
  const title = `${escaped(siteName)} under maintenance`
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
