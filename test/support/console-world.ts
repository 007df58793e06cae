// A console on a world of its own, and a client that can send any header. Its clock is moved by the test.

import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import type { WholeLedger } from '#src/app/whole-ledger.ts'
import type { ConsoleGrant, ConsoleRole } from '#src/extensions/console/ledger/local-users.ts'
import { hashOfToken, makeToken, sessionHash } from '#src/extensions/console/security/session-cookie.ts'
import { type RunningConsole, serveConsole } from '#src/extensions/console/serve-console.ts'
import { type ConsoleSettings, consoleSchema } from '#src/extensions/console/settings/console-settings.ts'
import type { Log } from '#src/platform/log/log.ts'
import { type Clock, systemClock } from '#src/platform/time/clock.ts'
import { openWorld, type World, type WorldOptions } from './world.ts'

export interface ConsoleAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The session cookie that the answer sets; null if it sets none. */
  cookie: string | null
}

/** A name may come several times. */
export type FormFields = Record<string, string> | [name: string, value: string][]

export interface Asked {
  cookie?: string | undefined
  form?: FormFields
  /** A form with a file, as browsers send it. */
  upload?: FileForm
  headers?: Record<string, string>
  method?: string
}

export interface FileForm {
  fields: Record<string, string>
  file: { name: string; content: string | Buffer }
}

const boundary = '----a-boundary-of-the-tests'

/** A form with its file last, as browsers send it. */
export function multipart({ fields, file }: FileForm): Buffer {
  const text = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="list"; filename="${file.name}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  return Buffer.concat([
    Buffer.from(text.join('') + head),
    Buffer.from(file.content),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
}

export const multipartType = `multipart/form-data; boundary=${boundary}`

export interface ConsoleWorld extends AsyncDisposable {
  world: World
  pages: RunningConsole
  port: number
  /** Asks as a page of the console does: with its own host, and for a form with its own origin. */
  ask(path: string, asked?: Asked): Promise<ConsoleAnswer>
  /** Returns the cookie of a person with this role. */
  signedIn(role: ConsoleRole, options?: { name?: string; pipelines?: string[] }): Promise<string>
  advance(ms: number): void
  now(): Date
}

export interface ConsoleWorldOptions extends WorldOptions {
  console?: Partial<Record<keyof ConsoleSettings, unknown>>
  log?: Log
}

export async function openConsoleWorld(options: ConsoleWorldOptions = {}): Promise<ConsoleWorld> {
  await using stack = new AsyncDisposableStack()
  const world = stack.use(await openWorld(options))
  let aheadMs = 0
  const clock: Clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) }
  const settings = consoleSchema.parse({ port: 0, ...options.console })
  const { ledger } = world.app
  const parts = { ...world.app, clock, ...(options.log && { log: options.log }) }
  const pages = stack.use(await serveConsole(parts, settings))
  const port = pages.port
  const ownHost = settings.url === undefined ? `127.0.0.1:${port}` : new URL(settings.url).host
  const ownOrigin = settings.url === undefined ? `http://${ownHost}` : new URL(settings.url).origin
  const closing = stack.move()
  return {
    world,
    pages,
    port,
    ask: (path, asked) => askConsole(port, path, asked, { host: ownHost, origin: ownOrigin }),
    async signedIn(role, { name = role, pipelines = role === 'registrar' ? ['spring'] : undefined } = {}) {
      const cookie = await signIn(ledger, name, { role, pipelines: pipelines ?? null }, clock.now(), settings)
      return `${settings.url?.startsWith('https') ? '__Host-' : ''}${cookie}`
    },
    advance(ms) {
      aheadMs += ms
    },
    now: clock.now,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** @returns the cookie of a person with this role, for a console that is used on this machine */
export async function signIn(
  ledger: WholeLedger,
  name: string,
  grant: ConsoleGrant,
  now: Date,
  settings: ConsoleSettings = consoleSchema.parse({}),
): Promise<string> {
  const link = { hash: hashOfToken(`link of ${name}`), endsAt: new Date(now.getTime() + 1_000) }
  await ledger.consolePeople.add(name, grant, link, 'test', now)
  const token = makeToken()
  await ledger.consoleSessions.begin(sessionHash(settings, token.text), name, { password: null }, now)
  return `credsync-development=${token.text}`
}

/** Asks as a page of the console does: with its own host, and for a form with its own origin. */
export function askConsole(
  port: number,
  path: string,
  { cookie, form, upload, headers = {}, method = form || upload ? 'POST' : 'GET' }: Asked = {},
  own = { host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` },
): Promise<ConsoleAnswer> {
  const text = form === undefined ? null : new URLSearchParams(form).toString()
  const body = upload === undefined ? text : multipart(upload)
  const type = upload === undefined ? 'application/x-www-form-urlencoded' : multipartType
  const { promise, resolve, reject } = Promise.withResolvers<ConsoleAnswer>()
  const request = httpRequest(
    {
      ...{ host: '127.0.0.1', port, path, method, agent: false },
      headers: {
        host: own.host,
        ...(cookie !== undefined && { cookie }),
        ...(body !== null && { 'content-type': type, origin: own.origin }),
        ...headers,
      },
    },
    (response) => {
      const [set = ''] = response.headers['set-cookie'] ?? []
      const cookie = /^([^=]+=[\w-]{43});/.exec(set)?.[1] ?? null
      const { statusCode: status = 0, headers } = response
      readText(response).then((text) => resolve({ status, headers, text, cookie }), reject)
    },
  )
  request.on('error', reject)
  request.end(body)
  return promise
}
