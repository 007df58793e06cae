// Speaks the beginning of PostgreSQL's protocol and then refuses, as a server or a pooler does that cannot be set up on
// every machine.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

export interface StandIn extends AsyncDisposable {
  port: number
}

export interface StandInOptions {
  /** What it answers, to the connection or to the first query: the code and the message. Nothing: it closes. */
  refusal?: readonly [code: string, message: string]
  at?: 'connection' | 'query'
  /** The routine that PostgreSQL would name; poolers name none. */
  routine?: string
  /** Key and certificate; without them it speaks no TLS. */
  tls?: { key: string; cert: string }
}

export async function openPostgresStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    serve(socket, options)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const tlsRequest = 80_877_103

function serve(socket: Socket, options: StandInOptions): void {
  const { at = 'connection', refusal, tls } = options
  socket.on('error', () => {})
  const refuse = () => void socket.end(refusal ? errorResponse(refusal, options.routine) : '')
  socket.once('data', (bytes) => {
    if (bytes.readUInt32BE(4) === tlsRequest) {
      if (!tls) return void socket.write('N')
      return void socket.write('S', () => serve(new TLSSocket(socket, { isServer: true, ...tls }), options))
    }
    if (at === 'connection') return refuse()
    // Authentication succeeded; ready for a query.
    socket.write(Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]))
    socket.once('data', refuse)
  })
}

function errorResponse([code, text]: readonly [string, string], routine?: string): Buffer {
  const fields = [`SFATAL`, `C${code}`, `M${text}`, ...(routine ? [`R${routine}`] : [])]
  return message('E', Buffer.from(`${fields.join('\0')}\0\0`))
}

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
