// Opens the two Redis connections that a job queue needs: one for adding jobs, one for running them.

import { Redis, type RedisOptions } from 'ioredis'
import { faultName } from '#src/platform/log/fault-name.ts'
import { quietInfo } from './quiet-info.ts'

// Under exactOptionalPropertyTypes, the type of ioredis's replyMapping rejects ioredis's own options. We never set it.
type Options = Omit<RedisOptions, 'replyMapping'>

// After a reconnect, ioredis may send an unacknowledged add a second time. Resending stays enabled nevertheless:
// without it such an add never settles (in 6.0), and because every add carries its job id, the second one changes
// nothing.
const commonOptions: Options = { autoResendUnfulfilledCommands: true, connectTimeout: 5_000, disableClientInfo: true }

// While the server is unavailable, adding a job fails immediately, and the ledger's sweep adds the job again later.
const addingOptions: Options = { ...commonOptions, maxRetriesPerRequest: 1, enableOfflineQueue: false }

// Workers wait through an outage; BullMQ requires null.
const workingOptions: Options = { ...commonOptions, maxRetriesPerRequest: null }

/**
 * Opens the connections in the background. `onFault` is called with the name of the connection and the error's class
 * and code.
 */
export function openJobConnections(url: string, onFault: (where: string, errorClass: string) => void) {
  const connections = new Set<Redis>()
  const open = (where: string, options: Options) => {
    const namedOptions = { ...options, connectionName: `credsync-${where}` }
    const connection = quietInfo(new Redis(url, namedOptions))
    connections.add(connection)
    trackCopies(connection, connections)
    connection.on('error', (error) => onFault(`redis ${where}`, faultName(error)))
    return connection
  }
  return {
    adding: open('adding', addingOptions),
    working: open('working', workingOptions),
    /** Ends both, and every copy made of them. Does not wait for a silent server. */
    close() {
      for (const connection of connections) connection.disconnect()
    },
  }
}

// BullMQ copies the working connection for each worker's blocking read, and cannot end that copy while the server is
// unavailable. The copies are tracked so that `close` can end them.
function trackCopies(connection: Redis, all: Set<Redis>): void {
  const duplicate = connection.duplicate.bind(connection)
  connection.duplicate = (override) => {
    const copy = quietInfo(duplicate(override))
    // The worker has its own listener, which reports errors; this one only keeps a late error from ending the process.
    copy.on('error', () => {})
    all.add(copy)
    return copy
  }
}
