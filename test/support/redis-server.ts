// A redis-server process for the whole run, or for a test that must stop one.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { systemClock } from '#src/platform/time/clock.ts'

export interface RedisServer {
  url: string
  /** Stops the process and waits for its end. */
  stop(): Promise<void>
  /** Starts an empty server on the same port. */
  startAgain(): Promise<void>
}

/** Another process may take a free port before the server does. */
const maxStarts = 5

/** Starts a server without persistence on a free port. Returns null if the machine has no redis-server. */
export async function startRedis(options: { policy?: string } = {}): Promise<RedisServer | null> {
  const argsOf = (port: number) => [
    ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    ...['--maxmemory-policy', options.policy ?? 'noeviction'],
  ]
  const { port, child: first } = await retried(async () => {
    const port = await freePort()
    return { port, child: await start(argsOf(port)) }
  })
  let child = first
  if (!child) return null
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    startAgain: async () => {
      child = await retried(() => start(argsOf(port)))
    },
  }
}

async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; tries < maxStarts; tries++) {
    const result = await work().catch(() => null)
    if (result) return result
    // A connection that has the port by chance ends soon.
    await systemClock.sleep(200)
  }
  return work()
}

/** @returns null if the machine has no redis-server */
async function start(args: string[]): Promise<ChildProcess | null> {
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const ready = new Promise<ChildProcess | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? resolve(null) : reject(error)))
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code} before it was ready`)))
    child.stdout.on('data', (text: Buffer) => {
      if (text.includes('Ready to accept connections')) resolve(child)
    })
  })
  return ready
}

/** Returns a port that was free when checked. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || !address) throw new Error('The system assigned no port.')
  return address.port
}
