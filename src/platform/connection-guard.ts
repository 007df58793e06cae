// Protects the worker's ports before the web framework sees a request. Limits the number of open connections over all
// ports, and lets each connection send one request at a time. The senders are not authenticated yet, so every check
// here is cheap.

import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from './network-of.ts'

export type ConnectionGuard = ReturnType<typeof openConnectionGuard>

/**
 * Each connection takes a file descriptor. A worker needs about two hundred for itself, and systems commonly allow
 * 1,024.
 */
const maxConnections = 500
/** Longer than the keep-alive time of common proxies, so that no connection is closed while a request is on its way. */
const keepAliveMs = 72_000

export function openConnectionGuard() {
  /**
   * The network of each open connection's sender. The connections are in order of last use (when opened, or when last
   * released by `done`), the most recent at the end.
   */
  const open = new Map<Socket, string>()
  const kept = new Set<Socket>()
  const answering = new WeakSet<Socket>()

  function add(socket: Socket): void {
    if (open.size >= maxConnections) chooseToClose(socket).destroy()
    open.set(socket, networkOf(socket.remoteAddress ?? ''))
    socket.once('close', () => {
      open.delete(socket)
      kept.delete(socket)
    })
    // Hundreds of requests fit into one read, and parsing them takes so long that a few senders could block this
    // process for minutes. Node parses everything it has read, even from a closed connection. Overwriting the bytes
    // with zeros ends the parsing immediately.
    socket.prependListener('data', (bytes: Buffer) => {
      if (!hasTwoRequests(bytes)) return
      socket.destroy()
      bytes.fill(0)
    })
  }

  /**
   * Returns the oldest connection of the unauthenticated sender with the most connections, so that no sender can
   * displace those of others.
   */
  function chooseToClose(newest: Socket): Socket {
    const counts = new Map<string, number>()
    let most = { sender: '', count: 0 }
    for (const [socket, sender] of open) {
      if (kept.has(socket)) continue
      const count = (counts.get(sender) ?? 0) + 1
      counts.set(sender, count)
      if (count > most.count) most = { sender, count }
    }
    for (const [socket, sender] of open)
      if (sender === most.sender && !kept.has(socket)) {
        open.delete(socket)
        return socket
      }
    return newest
  }

  return {
    /** Makes a server whose connections count together with those of the other servers of this guard. */
    serve(listener: RequestListener, { requestMs }: { requestMs: number }): Server {
      const server = createServer({ requestTimeout: requestMs, keepAliveTimeout: keepAliveMs })
      server.on('connection', add)
      // A connection that sends its next request before the last one was answered is closed: no browser, learning
      // system or proxy does this. Node still parses the rest of the same read, so those requests are dropped here.
      server.on('request', (request, response) => {
        const { socket } = request
        if (socket.destroyed) return
        if (answering.has(socket)) return void socket.destroy()
        answering.add(socket)
        response.once('close', () => answering.delete(socket))
        listener(request, response)
      })
      return server
    },
    /** Keeps the connection of a sender that has proven its identity, until `done`. */
    keep: (socket: Socket) => void kept.add(socket),
    /** Ends `keep`, after which the connection may be closed again. */
    done(socket: Socket): void {
      const sender = open.get(socket)
      if (!kept.delete(socket) || sender === undefined) return
      open.delete(socket)
      open.set(socket, sender)
    },
  }
}

/** The end of a request line, in each form that Node's parser accepts, including other protocols and a missing one. */
const requestLine = /(?: (?:HTTP|RTSP|ICE)\/\d\.\d|^[A-Z-]+ +(?:\/|\*|https?:)\S*) *\r\n/gm

/** Whether the bytes contain two request lines. No file that people upload contains two of them in one read. */
function hasTwoRequests(bytes: Buffer): boolean {
  return (bytes.toString('latin1').match(requestLine)?.length ?? 0) > 1
}
