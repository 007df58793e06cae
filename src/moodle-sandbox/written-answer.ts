// Answers as Moodle writes them: JSON the way PHP escapes it (all captures), XML where no format was asked for (1.2).

import { MoodleError } from './moodle-error.ts'

export interface WrittenAnswer {
  status: number
  contentType: string
  body: string
}

/** PHP escapes slashes and everything outside ASCII, as the captures show. */
export function phpJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function jsonAnswer(value: unknown): WrittenAnswer {
  return { status: 200, contentType: 'application/json', body: phpJson(value) }
}

export function jsonError({ exception, errorcode, message }: MoodleError): WrittenAnswer {
  return jsonAnswer({ exception, errorcode, message })
}

/** The form without moodlewsrestformat. Its element names are those of Moodle's own source, webservice/rest/locallib.php. */
export function xmlAnswer(value: unknown): WrittenAnswer {
  const inner =
    value instanceof MoodleError
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
  // PHP writes true as 1 and false as nothing.
  const text = typeof value === 'boolean' ? (value ? '1' : '') : String(value)
  return `<VALUE>${escaped(text)}</VALUE>\n`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Capture 35: HTTP 503 and a page. */
export function maintenancePage(siteName: string): WrittenAnswer {
  const title = `${escaped(siteName)} under maintenance`
  const said = 'The site is undergoing maintenance and is currently not available'
  return page(503, title, said)
}

/** A wrong path is a page with 404 (1.2); its words were not captured. */
export function notFoundPage(): WrittenAnswer {
  return page(404, 'Not found', 'There is no such page')
}

function page(status: number, title: string, said: string): WrittenAnswer {
  const body =
    `<!DOCTYPE html>\n<html  lang="en" xml:lang="en">\n<head><title>${title}</title></head>\n` +
    `<body><h1>${title}</h1><div>${said}</div></body>\n</html>\n`
  return { status, contentType: 'text/html; charset=utf-8', body }
}
