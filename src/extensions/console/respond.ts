// Turns the answers of pages into HTTP responses, and reads the style sheet, the script and the icon that the pages
// use.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedIn } from '#src/extensions/console/ledger/sessions.ts'
import { nothing } from './html/elements.ts'
import { type Frame, layout, type PageContent } from './html/layout.ts'
import { html } from './html/markup.ts'
import type { Answer, Console } from './visit.ts'

type Respond = (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  visitor: SignedIn | null,
) => Promise<FastifyReply>

export function openResponses({ address, settings, parts }: Console, assets: Assets): Respond {
  const frame: Frame = {
    base: address.base,
    environment: parts.ledger.environment,
    timeZone: settings.timeZone,
    assets: { style: assets.style.versionedPath, script: assets.script.versionedPath },
  }
  async function showPage(
    request: FastifyRequest,
    reply: FastifyReply,
    content: PageContent,
    { status, visitor }: { status: number; visitor: SignedIn | null },
  ) {
    const path = request.url.split('?')[0] ?? '/'
    const markup = await html`${layout(frame, content, { visitor, path })}`
    return reply.code(status).type('text/html; charset=utf-8').send(String(markup))
  }
  return async (request, reply, answer, visitor) => {
    if ('cookie' in answer && answer.cookie !== undefined) reply.header('set-cookie', [answer.cookie].flat())
    switch (answer.kind) {
      case 'page':
        if (answer.wait !== undefined) reply.header('retry-after', answer.wait)
        return showPage(request, reply, answer, { status: answer.status ?? 200, visitor })
      case 'fragment':
        return sendFragment(request, reply, String(await html`${answer.body}`), answer.isLast)
      case 'redirect':
        return reply.redirect(`${address.base}${answer.to}`, 303)
      case 'leave':
        return reply.redirect(answer.to, 303)
      case 'download':
        return reply.type(answer.type).header('content-disposition', attachment(answer.name)).send(answer.content)
      case 'missing':
        return showPage(request, reply, missing, { status: 404, visitor })
      case 'forbidden':
        return showPage(request, reply, visitor ? forbidden : stranger, { status: 403, visitor })
    }
  }
}

const missing: PageContent = {
  title: 'Not found',
  body: html`<div class="card">${nothing('There is nothing at this address, or you may not see it.')}</div>`,
}
const forbidden: PageContent = {
  title: 'Not allowed',
  body: html`<div class="card">${nothing('Your role does not allow this. Ask an administrator if you need it.')}</div>`,
}
const stranger: PageContent = {
  title: 'Not allowed',
  body: html`<div class="card">${nothing('Your organization knows you, but nobody has given you a role here. Ask an administrator.')}</div>`,
}

/** If the browser already has the same part, the answer only says so. */
function sendFragment(request: FastifyRequest, reply: FastifyReply, body: string, isLast: boolean): FastifyReply {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  reply.header('etag', etag)
  if (isLast) reply.header('x-live', 'over')
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.type('text/html; charset=utf-8').send(body)
}

/**
 * The name in two forms: in ASCII for all browsers, and with all letters. Names of reports have only letters, digits,
 * dots, hyphens and underscores.
 */
function attachment(name: string): string {
  const plain = name.replace(/[^\w.-]+/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`
}

interface Asset {
  /** Without the base and the query. */
  path: string
  /** With a hash of its content, so that each version has an address of its own. */
  versionedPath: string
  type: string
  content: string
}

const files = {
  style: ['console.css', 'text/css; charset=utf-8'],
  script: ['console.js', 'text/javascript; charset=utf-8'],
  icon: ['icon.svg', 'image/svg+xml'],
} as const

type Assets = Record<keyof typeof files, Asset>

/**
 * Reads the style sheet, the script and the icon, once. They are served under addresses that change with their content,
 * so that browsers keep them until then.
 */
export async function readAssets(): Promise<Assets> {
  const read = await Promise.all(
    Object.entries(files).map(async ([kind, [name, type]]) => {
      const content = await readFile(new URL(`./assets/${name}`, import.meta.url), 'utf8')
      const version = createHash('sha256').update(content).digest('hex').slice(0, 12)
      return [kind, { path: `/${name}`, versionedPath: `/${name}?v=${version}`, type, content }] as const
    }),
  )
  return Object.fromEntries(read) as Assets
}
