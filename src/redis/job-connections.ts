// The two connections that a job queue needs in Redis: one for asking, one for working.

import { Redis, type RedisOptions } from 'ioredis'
import { faultName } from '#src/log/fault-name.ts'

// ioredis types replyMapping so that its own options don't pass under exactOptionalPropertyTypes; we never set it.
type Options = Omit<RedisOptions, 'replyMapping'>

// An in-flight add may be sent twice after a reconnect. We keep ioredis's resending all the same: without it such an add never
// settles (in 6.0), and as every add carries its job id the second one changes nothing.
const always: Options = { autoResendUnfulfilledCommands: true, connectTimeout: 5_000 }

// Asking fails at once while the server is away: the ledger's sweeper asks again.
const asking: Options = { ...always, maxRetriesPerRequest: 1, enableOfflineQueue: false }

// Workers wait through an outage; BullMQ demands null.
const working: Options = { ...always, maxRetriesPerRequest: null }

export interface JobConnections {
  asking: Redis
  working: Redis
  /** Ends both, and every copy that was made of them. Does not wait for a server that is silent. */
  close(): void
}

/** The connections are made in the background. `onFault` is told where, and the error's class and code. */
export function openJobConnections(url: string, onFault: (where: string, errorClass: string) => void): JobConnections {
  const connections = new Set<Redis>()
  const open = (where: string, options: Options) => {
    const named = { ...options, connectionName: `credsync-${where}` }
    const connection = new Redis(url, named)
    connections.add(connection)
    trackCopies(connection, connections)
    connection.on('error', (error) => onFault(`redis ${where}`, faultName(error)))
    return connection
  }
  return {
    asking: open('asking', asking),
    working: open('working', working),
    close() {
      for (const connection of connections) connection.disconnect()
    },
  }
}

// BullMQ makes a copy of the working connection for each worker's blocking read, and can't end that copy while the server is
// away. Knowing the copies lets us end them.
function trackCopies(connection: Redis, all: Set<Redis>): void {
  const duplicate = connection.duplicate.bind(connection)
  connection.duplicate = (override) => {
    const copy = duplicate(override)
    // The worker listens as well and reports; this one only keeps a late error from ending the process.
    copy.on('error', () => {})
    all.add(copy)
    return copy
  }
}
