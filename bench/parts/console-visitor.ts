// A person who works with the console of a worker: signed in, and asking for one page after the other over real HTTP. The
// time of a page is that from the request to its last byte.

import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import type { WholeLedger } from '#src/app/whole-ledger.ts'
import { hashOfToken, makeToken } from '#src/extensions/console/security/session-cookie.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'

export interface ConsoleVisitor {
  /** @throws Error if the page does not answer as it should */
  open(page: VisitedPage): Promise<{ ms: number; text: string }>
}

export interface VisitedPage {
  path: string
  /** The fields of a form, which leads to another page. */
  form?: Readonly<Record<string, string>>
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Signs an operator in. */
export async function openVisitor(
  { consolePeople, consoleSessions }: WholeLedger,
  port: number,
): Promise<ConsoleVisitor> {
  const now = clock.now()
  const link = { hash: hashOfToken('a link that nobody uses'), endsAt: now }
  await consolePeople.add('bench', { role: 'operator', pipelines: null }, link, 'bench', now)
  const token = makeToken()
  await consoleSessions.begin(token.hash, 'bench', { password: null }, now)
  const agent = new Agent({ keepAlive: true })
  const own = { cookie: `credsync-development=${token.text}`, host: `127.0.0.1:${port}` }
  return {
    async open({ path, form }) {
      const startedMs = clock.monotonicMs()
      const body = form && new URLSearchParams(form).toString()
      const sent = body === undefined ? {} : { origin: `http://${own.host}`, 'content-type': formType }
      const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
        const asked = { host: '127.0.0.1', port, path, agent, method: body === undefined ? 'GET' : 'POST' }
        request({ ...asked, headers: { ...own, ...sent } }, (response) => {
          let received = ''
          response.setEncoding('utf8').on('data', (chunk: string) => {
            received += chunk
          })
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text: received }))
        })
          .on('error', reject)
          .end(body)
      })
      if (status !== (form ? 303 : 200)) throw new Error(`${path} answers ${status}: ${text.slice(0, 300)}`)
      return { ms: clock.monotonicMs() - startedMs, text }
    },
  }
}

const formType = 'application/x-www-form-urlencoded'
