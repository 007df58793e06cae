// Guards the ports of the worker, in front of the framework: how many connections are open on all of them together, and
// how many requests a connection may send at a time. Only bytes of strangers get this far, so everything here is cheap.

import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from './network-of.ts'

export type ConnectionGuard = ReturnType<typeof openConnectionGuard>

/** Each takes a file descriptor. A worker needs some two hundred for itself, and systems commonly allow 1,024. */
const maxConnections = 500
/** Longer than the proxies in front keep theirs, so that none is closed while a request is on its way. */
const keepAliveMs = 72_000

export function openConnectionGuard() {
  /**
   * The address of each, in order of last use (when a connection was opened, or last released by `done`), the most
   * recent at the end.
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
    // process for minutes. Node parses what it has read to its end, even of a connection that is closed: zeros end that
    // at once.
    socket.prependListener('data', (bytes: Buffer) => {
      if (!hasTwoRequests(bytes)) return
      socket.destroy()
      bytes.fill(0)
    })
  }

  /** The oldest of the unproven sender who has the most, so that nobody takes the connections of others. */
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
      // system or proxy does this. What was read with it is still parsed, so it is dropped here.
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

/** The end of a request line, in each form that Node's parser takes: also of other protocols, or without any. */
const requestLine = /(?: (?:HTTP|RTSP|ICE)\/\d\.\d|^[A-Z-]+ +(?:\/|\*|https?:)\S*) *\r\n/gm

/** Whether two request lines are in what was read. A list that has both in one piece is nothing that people upload. */
function hasTwoRequests(bytes: Buffer): boolean {
  return (bytes.toString('latin1').match(requestLine)?.length ?? 0) > 1
}
