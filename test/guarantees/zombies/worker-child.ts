// A worker process as the test holds it: told what to do at its start, heard line by line, woken, stopped or killed.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { until } from '#test/support/until.ts'
import type { World } from '#test/support/world.ts'
import type { Line, Orders } from './orders.ts'

export interface WorkerChild extends AsyncDisposable {
  readonly lines: readonly Line[]
  /** Resolves once it has said so. @throws Error when it ends before, or says nothing for a minute and a half */
  hear(said: Line['said']): Promise<void>
  wake(): void
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
  /** Its exit code, or null when it was killed. */
  readonly ended: Promise<number | null>
}

const script = join(import.meta.dirname, 'worker-process.ts')
/** Where the program keeps its compiled code too: a start costs half as much. */
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
  return held(child, release)
}

/** What the kernel says of a process, for one that ought to run. */
function stateOf(pid: number | undefined): string {
  try {
    return /^State:.*$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[0] ?? ''
  } catch {
    return 'its state is not known'
  }
}

function held(
  child: ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream },
  release: string,
): WorkerChild {
  const lines: Line[] = []
  let complaint = ''
  let over = false
  let woken = false
  // On a busy machine a continuation was seen to come to nothing; one more does no harm to a process that runs.
  const goOn = () => woken && !over && child.kill('SIGCONT')
  createInterface({ input: child.stdout }).on('line', (text) => lines.push(JSON.parse(text)))
  child.stderr.on('data', (text: Buffer) => {
    complaint = `${complaint}${text}`.slice(-2_000)
  })
  const ended = once(child, 'close').then(([code]) => {
    over = true
    return code as number | null
  })
  return {
    lines,
    hear: (said) =>
      until(`a worker process to say "${said}"`, () => {
        if (lines.some((line) => line.said === said)) return true
        goOn()
        if (over) throw new Error(`The worker process ended without saying "${said}". ${complaint}`)
        return lines
          .map((line) => line.said)
          .join(', ')
          .slice(-200)
          .concat(woken ? `; ${stateOf(child.pid)}` : '')
      }),
    wake() {
      writeFileSync(release, '')
      woken = true
      goOn()
    },
    kill: (signal) => void child.kill(signal),
    ended,
    async [Symbol.asyncDispose]() {
      if (!over) child.kill('SIGKILL')
      await ended
    },
  }
}
