// Limits the number of open connections of a server. To make room for a new one, the oldest connection of an unproven
// sender is closed.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export interface Connections {
  /** Keeps the connection of a sender that has proven its identity, until `done`. */
  keep(socket: Socket): void
  /** Ends `keep`, after which the connection may be closed again. */
  done(socket: Socket): void
}

export function limitConnections(server: Server, maxConnections: number): Connections {
  /** In order of last use (when a connection was opened, or last released by `done`), the most recent at the end. */
  const open = new Set<Socket>()
  const kept = new Set<Socket>()

  server.on('connection', (socket) => {
    if (open.size >= maxConnections) chooseToClose(socket).destroy()
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      kept.delete(socket)
    })
  })

  function chooseToClose(newest: Socket): Socket {
    for (const socket of open)
      if (!kept.has(socket)) {
        open.delete(socket)
        return socket
      }
    return newest
  }

  return {
    keep: (socket) => void kept.add(socket),
    done(socket) {
      if (!kept.delete(socket) || !open.delete(socket)) return
      open.add(socket)
    },
  }
}
