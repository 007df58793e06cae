// Loaded before the real program; kills it where CRASH_AT says: at a statement that contains a text, or in an HTTP
// exchange.

import pg from 'pg'
import { openFailpoint } from './failpoint.ts'
import { watchWire } from './seams.ts'

const point = process.env.CRASH_AT ?? ''
const reach = openFailpoint({ point, hit: 1 })
watchWire(reach)
const [, text] = /^sql\((.+)\):/.exec(point) ?? []
if (text) {
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const watched = function (this: pg.Client, ...args: unknown[]) {
    const matches = typeof args[0] === 'string' && args[0].includes(text)
    if (matches) reach(`sql(${text}):before`)
    const answer = Reflect.apply(query, this, args)
    if (matches) reach(`sql(${text}):sent`)
    return answer
  }
  pg.Client.prototype.query = watched as typeof pg.Client.prototype.query
}
