// Announces every step at the seams of a worker: calls between objects, statements to the driver, and HTTP exchanges.
// The program itself has no code for this.

import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import type { App } from '#src/app/app.ts'
import type { Request } from '#src/files/tables/thread/reading-messages.ts'
import { withParts } from '#test/support/with-parts.ts'
import type { Reach } from './failpoint.ts'

/** The ledger verb that is running. */
const verb = new AsyncLocalStorage<string>()

/** Wraps the app so that its parts announce `object.verb:before` and `:after`; nested verbs are `object.part.verb`. */
export function withSeams(app: App, reach: Reach): App {
  return withParts(app, {
    ledger: announceSteps('ledger', app.ledger, reach),
    mark: announceSteps('mark', app.mark, reach),
    issuer: announceSteps('issuer', app.issuer, reach),
    queues: announceSteps('queues', app.queues, reach),
    outbox: announceSteps('outbox', app.outbox, reach),
  })
}

function announceSteps<Part extends object>(name: string, part: Part, reach: Reach): Part {
  return new Proxy(part, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      if (name === 'ledger' && isGroup(member)) return announceSteps(`${name}.${String(key)}`, member, reach)
      if (typeof member !== 'function' || typeof key !== 'string') return member
      return (...args: unknown[]) => {
        // Enqueuing a job is a separate step for each queue.
        const step = `${name}.${key}${key === 'enqueue' ? `(${args[0]})` : ''}`
        reach(`${step}:before`)
        const result: unknown = verb.run(`${name}.${key}`.replace(/^\w+\./, ''), () =>
          Reflect.apply(member, target, args),
        )
        if (!(result instanceof Promise)) return result
        return result.then((value) => {
          reach(`${step}:after`)
          return value
        })
      }
    },
  })
}

/** The ledger has its verbs in groups; its hasher is an object of another class. */
function isGroup(member: unknown): member is object {
  return typeof member === 'object' && member !== null && Object.getPrototypeOf(member) === Object.prototype
}

/**
 * Announces each statement of the point's verb that contains the point's text: `sql.verb(text):before`, and `:sent`
 * once the driver has written it to the connection. It patches the driver's prototype, which handles every statement,
 * including those in transactions.
 */
export function watchStatements(point: string, reach: Reach): void {
  const [, within, text] = /^sql\.([\w.]+)\((.+)\):/.exec(point) ?? []
  if (!within || !text) return
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const watched = function (this: pg.Client, ...args: unknown[]) {
    const matches = verb.getStore() === within && typeof args[0] === 'string' && args[0].includes(text)
    if (matches) reach(`sql.${within}(${text}):before`)
    const answer = Reflect.apply(query, this, args)
    if (matches) reach(`sql.${within}(${text}):sent`)
    return answer
  }
  pg.Client.prototype.query = watched as typeof pg.Client.prototype.query
}

const wireEvents = {
  'undici:client:sendHeaders': 'wire.headersSent',
  'undici:request:bodySent': 'wire.bodySent',
  'undici:request:headers': 'wire.answerSeen',
}

/** Announces the steps of the exchanges of an invitation and of a revocation. */
export function watchWire(reach: Reach): void {
  for (const [channel, point] of Object.entries(wireEvents))
    subscribe(channel, (message) => {
      const { request } = message as { request: { path: string } }
      if (request.path.endsWith('/recipients/data/upload')) reach(point)
      if (request.path.endsWith('/certificate/revoke')) reach(`${point} of a revocation`)
    })
}

/**
 * Announces that a reading thread is processing rows. A crash of the thread, such as a fault in V8, ends the process.
 */
export function watchReading(reach: Reach): void {
  const { postMessage } = Worker.prototype
  Worker.prototype.postMessage = function (this: Worker, ...args: Parameters<typeof postMessage>) {
    Reflect.apply(postMessage, this, args)
    const [message] = args as [Partial<Request>]
    if (message.kind === 'next') reach('reading.next:sent')
  }
}
