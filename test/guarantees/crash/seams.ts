// Announces each step of a worker where its parts meet: calls between objects, statements to the driver, events of the wire. The
// product knows nothing of it.

import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import pg from 'pg'
import type { App } from '#src/app.ts'
import type { Reach } from './failpoint.ts'

/** The ledger's verb that is being carried out. */
const verb = new AsyncLocalStorage<string>()

/** The app with its parts behind seams that announce `object.verb:before` and `:after`; verbs of a part's part as `object.part.verb`. */
export function withSeams(app: App, reach: Reach): App {
  return {
    ...app,
    ledger: announced('ledger', app.ledger, reach),
    issuer: announced('issuer', app.issuer, reach),
    queues: announced('queues', app.queues, reach),
    outbox: announced('outbox', app.outbox, reach),
  }
}

function announced<Part extends object>(name: string, part: Part, reach: Reach): Part {
  return new Proxy(part, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      if (name === 'ledger' && (key === 'archives' || key === 'revocations'))
        return announced(`${name}.${key}`, member as object, reach)
      if (typeof member !== 'function' || typeof key !== 'string') return member
      return (...args: unknown[]) => {
        // A job asked for is another step for each queue.
        const step = `${name}.${key}${key === 'ask' ? `(${args[0]})` : ''}`
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

/**
 * Announces the statements of the point's verb that contain its text, as `sql.verb(text):before` and, once the driver has written
 * it to the connection, `:sent`. The driver's prototype is the one place that every statement passes, also within transactions.
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

/** Announces the steps of an invitation's exchange, and those of a revocation's. */
export function watchWire(reach: Reach): void {
  for (const [channel, point] of Object.entries(wireEvents))
    subscribe(channel, (message) => {
      const { request } = message as { request: { path: string } }
      if (request.path.endsWith('/recipients/data/upload')) reach(point)
      if (request.path.endsWith('/certificate/revoke')) reach(`${point} of a revocation`)
    })
}
