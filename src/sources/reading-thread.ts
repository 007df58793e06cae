// A thread that reads one source, so that a file made to do harm takes neither the worker's memory nor its time.

import module from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Asking, begun, type ReadingOrder, type Replies, type Reply, type Request } from './reading-messages.ts'
import type { Refuse } from './source-error.ts'
import type { SourceLimits } from './source-limits.ts'
import type { SourceOptions } from './source-options.ts'

export interface ReadingThread {
  /**
   * The thread's answer. Throws SourceError when it refuses the file, runs out of its memory or dies, and the system's own
   * error when it could not even begin, which is not the file's fault.
   */
  ask<A extends Asking>(asks: A, name?: string): Promise<Replies[A]>
  /** While it is held, the process stays for it; otherwise a thread keeps nobody from leaving. */
  hold(): void
  letGo(): void
  /** Ends the thread, in the middle of whatever it does. What it was asked for stays unanswered, or is refused. */
  end(): Promise<void>
}

interface Waiting {
  resolve(reply: Replies[Asking]): void
  reject(error: Error): void
}

/** Starts the thread that reads the file at `path`. */
export function startReadingThread(
  path: string,
  options: SourceOptions,
  limits: SourceLimits,
  refuse: Refuse,
): ReadingThread {
  const worker = startWorker({ path, options }, limits)
  const waiting = new Map<number, Waiting>()
  let hasBegun = false
  let asked = 0
  let holders = 0
  let death: Error | undefined

  const die = (error: Error) => {
    death ??= error
    for (const each of waiting.values()) each.reject(death)
    waiting.clear()
  }
  worker.on('message', (message: typeof begun | Reply) => {
    if (message === begun) {
      hasBegun = true
      return
    }
    const asker = waiting.get(message.id)
    waiting.delete(message.id)
    if ('reply' in message) asker?.resolve(message.reply)
    else asker?.reject(refuse(message.refused.code, message.refused.sentence))
  })
  worker.on('error', (error) => die(refuseDeath(error, hasBegun, limits, refuse)))
  worker.on('exit', () => die(refuse('damaged', died)))
  worker.unref()

  return {
    ask<A extends Asking>(asks: A, name?: string) {
      const reply = new Promise<Replies[A]>((resolve, reject) => {
        if (death) return reject(death)
        const request: Request = { id: asked++, asks, ...(name !== undefined && { name }) }
        waiting.set(request.id, { resolve: resolve as Waiting['resolve'], reject })
        worker.postMessage(request)
      })
      // What was asked ahead may be refused before anybody waits for it.
      reply.catch(() => {})
      return reply
    },
    hold() {
      if (holders++ === 0) worker.ref()
    },
    letGo() {
      if (--holders === 0) worker.unref()
    },
    async end() {
      await worker.terminate()
    },
  }
}

function startWorker(workerData: ReadingOrder, limits: SourceLimits): Worker {
  return new Worker(new URL('./thread-main.ts', import.meta.url), {
    workerData,
    name: 'reading',
    // The thread needs none of this process's preloads, and strangers' bytes shall meet no secrets.
    execArgv: [],
    env: compileCache(),
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes, maxYoungGenerationSizeMb: youngMegabytes },
  })
}

// Rows live for one batch. With 16 the collector waits longer and the thread takes 10 to 30 MB more; with 4 it is slower.
const youngMegabytes = 8

/** A thread finds the compiled code of its process only through its environment. Measured: 50 ms to start instead of 120. */
function compileCache(): Record<string, string> {
  const folder = module.getCompileCacheDir()
  // The folder that is given back is the one of this Node's version, inside the one to name.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

const died = 'Reading the file broke off. Open it in the program it comes from, save it anew and send it again.'

function refuseDeath(error: unknown, hasBegun: boolean, limits: SourceLimits, refuse: Refuse): Error {
  const { code } = error as { code?: unknown }
  if (hasBegun && code === 'ERR_WORKER_OUT_OF_MEMORY') {
    const sentence = `Reading the file takes more than ${limits.heapMegabytes} MB of memory, the limit. Send it as CSV or in parts.`
    return refuse('limit', sentence)
  }
  if (!hasBegun && error instanceof Error) return error
  return refuse('damaged', died)
}
