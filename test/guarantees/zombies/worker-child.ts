// Controls a worker process for a test: starts it with instructions, reads its messages, and resumes, stops or kills
// it.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { until } from '#test/support/until.ts'
import type { World } from '#test/support/world.ts'
import type { Line, Orders } from './child-messages.ts'

export interface WorkerChild extends AsyncDisposable {
  readonly lines: readonly Line[]
  /**
   * Resolves when the message was received.
   * @throws Error if the process ends first or is silent for a minute and a half
   */
  waitFor(kind: Line['kind']): Promise<void>
  wake(): void
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
  /** The exit code, or null if the process was killed. */
  readonly ended: Promise<number | null>
}

const script = join(import.meta.dirname, 'worker-process.ts')
/** Uses the program's cache of compiled code, which halves the start time. */
const compiled = join(import.meta.dirname, '../../../node_modules/.cache/credsync')

/** Starts a worker on the world's ledger. */
export function startWorkerChild(
  world: World,
  more: Pick<Orders, 'only' | 'clock' | 'leaseMs'> & { freeze?: Omit<NonNullable<Orders['freeze']>, 'until'> },
): WorkerChild {
  const { settings } = world
  const { freeze, ...rest } = more
  const release = join(world.folder, `wake-${crypto.randomUUID()}`)
  const orders: Orders = {
    baseUrl: settings.baseUrl,
    key: settings.key.reveal(),
    secret: settings.secret.reveal(),
    databaseUrl: world.databaseUrl,
    redisUrl: settings.redisUrl?.reveal() ?? null,
    dataDir: settings.dataDir,
    file: settings.file,
    ...rest,
    ...(freeze && { freeze: { ...freeze, until: release } }),
  }
  const child = spawn(process.execPath, [script], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: compiled,
      CREDSYNC_TEST_ORDERS: JSON.stringify(orders),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return controlChild(child, release)
}

/** The kernel's state of a process that should be running. */
function stateOf(pid: number | undefined): string {
  try {
    return /^State:.*$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[0] ?? ''
  } catch {
    return 'its state is not known'
  }
}

function controlChild(
  child: ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream },
  release: string,
): WorkerChild {
  const lines: Line[] = []
  let errorOutput = ''
  let over = false
  let woken = false
  // On a busy machine a SIGCONT was observed to have no effect. Another SIGCONT does no harm to a running process.
  const resume = () => woken && !over && child.kill('SIGCONT')
  createInterface({ input: child.stdout }).on('line', (text) => lines.push(JSON.parse(text)))
  child.stderr.on('data', (text: Buffer) => {
    errorOutput = `${errorOutput}${text}`.slice(-2_000)
  })
  const ended = once(child, 'close').then(([code]) => {
    over = true
    return code as number | null
  })
  return {
    lines,
    waitFor: (kind) =>
      until(`the message "${kind}" of a worker process`, () => {
        if (lines.some((line) => line.kind === kind)) return true
        resume()
        if (over) throw new Error(`The worker process ended without the message "${kind}". ${errorOutput}`)
        return lines
          .map((line) => line.kind)
          .join(', ')
          .slice(-200)
          .concat(woken ? `; ${stateOf(child.pid)}` : '')
      }),
    wake() {
      writeFileSync(release, '')
      woken = true
      resume()
    },
    kill: (signal) => void child.kill(signal),
    ended,
    async [Symbol.asyncDispose]() {
      if (!over) child.kill('SIGKILL')
      await ended
    },
  }
}
