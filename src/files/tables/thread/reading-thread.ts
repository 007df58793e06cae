// Starts a separate thread that reads one file, so that a malicious file exhausts neither the memory nor the time of
// this process.

import module from 'node:module'
import { dirname, extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { SourceOptions } from '#src/files/tables/source.ts'
import type { OpenFile } from '../source-file.ts'
import type { TableReading } from '../source-limits.ts'
import { type ReadingReply, type Replies, type Request, type RequestKind, started } from './reading-messages.ts'
import { gatherModules, type ThreadModules } from './thread-modules.ts'

export interface ReadingThread {
  /**
   * Sends a request to the thread.
   * @throws SourceError if the thread refuses the file, runs out of memory or ends unexpectedly; the system's error if
   * the thread could not start, which is not the file's fault
   */
  ask<A extends RequestKind>(kind: A, name?: string): Promise<Replies[A]>
  /** Keeps the process running until `letGo`. A thread that no one holds does not prevent the process from exiting. */
  hold(): void
  /** Ends one `hold`; each call of `hold` needs one. */
  letGo(): void
  /** Terminates the thread, even while it is reading. Pending requests are refused. */
  end(): Promise<void>
}

interface PendingRequest {
  resolve(reply: Replies[RequestKind]): void
  reject(error: Error): void
}

/** Gives an open file, which must stay open until `end`, to a new thread. Throws the errors of loading its code. */
export async function openReadingThread(
  file: OpenFile,
  options: SourceOptions,
  { limits, refuse }: TableReading,
): Promise<ReadingThread> {
  const worker = startThread(await readingCode(), file, options, limits.heapMegabytes)
  const pending = new Map<number, PendingRequest>()
  let requestCount = 0
  let holders = 0
  let hasStarted = false
  let failure: Error | undefined

  const fail = (error: unknown) => {
    failure ??= failureOf(error)
    for (const each of pending.values()) each.reject(failure)
    pending.clear()
  }
  const failureOf = (error: unknown): Error => {
    if (!hasStarted && error instanceof Error) return error
    if ((error as { code?: unknown } | null)?.code !== 'ERR_WORKER_OUT_OF_MEMORY') return refuse('damaged', endedEarly)
    const sentence = `Reading the file takes more memory than the limit of ${limits.heapMegabytes} MB. Save the table as CSV, or split it into smaller files.`
    return refuse('limit', sentence)
  }
  worker.on('message', (message: typeof started | ReadingReply) => {
    if (message === started) {
      hasStarted = true
      return
    }
    const request = pending.get(message.id)
    pending.delete(message.id)
    if ('reply' in message) request?.resolve(message.reply)
    else request?.reject(refuse(message.refused.code, message.refused.sentence))
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('A reading thread ended unexpectedly.')))

  return {
    ask<A extends RequestKind>(kind: A, name?: string) {
      const reply = new Promise<Replies[A]>((resolve, reject) => {
        if (failure) return reject(failure)
        const request: Request = { id: requestCount++, kind, name }
        pending.set(request.id, { resolve: resolve as PendingRequest['resolve'], reject })
        worker.postMessage(request)
      })
      // A request for the next batch may be refused before its reply is awaited.
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
      // Never let go, because the process must not exit before the thread has ended.
      holders++
      failure ??= refuse('damaged', endedEarly)
      fail(failure)
      await worker.terminate()
    },
  }
}

const endedEarly =
  'Reading the file stopped unexpectedly. Open it in the program it comes from, save it again and resend it.'

// Rows are needed only for one batch. With 16 the garbage collector waits longer and the thread takes 10 to 30 MB more;
// with 4 it is slower.
const youngMegabytes = 8

function startThread(
  { script, compiled }: ReadingCode,
  { path, descriptor, bytes }: OpenFile,
  options: SourceOptions,
  heapMegabytes: number,
): Worker {
  const worker = new Worker(script, {
    workerData: { code: compiled, file: { path, descriptor, bytes }, options },
    name: 'reading',
    // The thread gets none of this process's preloaded modules, and not its environment, which contains secrets.
    execArgv: [],
    env: compileCache(),
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: youngMegabytes },
  })
  worker.unref()
  return worker
}

interface ReadingCode {
  /** The module that the thread runs first. */
  script: URL
  /** Code that was stripped of its types; null if credsync runs from compiled code. */
  compiled: { entry: string; modules: ThreadModules } | null
}

let cachedCode: Promise<ReadingCode> | undefined

/**
 * Finds the code of the thread. Compiled code is loaded as it is; TypeScript is stripped of its types once and then
 * passed to each thread.
 */
function readingCode(): Promise<ReadingCode> {
  cachedCode ??= findCode().catch((error) => {
    cachedCode = undefined
    throw error
  })
  return cachedCode
}

async function findCode(): Promise<ReadingCode> {
  const ending = extname(import.meta.url)
  const entry = new URL(`./thread-main${ending}`, import.meta.url)
  if (ending !== '.ts') return { script: entry, compiled: null }
  const modules = await gatherModules(entry)
  return { script: new URL('./thread-entry.mjs', import.meta.url), compiled: { entry: entry.href, modules } }
}

/**
 * Returns the environment with which a thread finds the compile cache of its process. Measured: it starts in 50 ms
 * instead of 120.
 */
function compileCache(): Record<string, string> {
  const folder = module.getCompileCacheDir()
  // Node returns a sub-folder for its own version; the environment variable takes the parent.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
