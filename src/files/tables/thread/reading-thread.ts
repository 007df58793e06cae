// Starts a separate thread that reads a source, so that a malicious file exhausts neither the memory nor the time of
// this process.

import module from 'node:module'
import { dirname, extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Refuse } from '../source-error.ts'
import type { OpenFile } from '../source-file.ts'
import type { SourceLimits } from '../source-limits.ts'
import type { SourceOptions } from '../source-options.ts'
import {
  type ReadingInput,
  type ReadingReply,
  type Replies,
  type Request,
  type RequestKind,
  started,
} from './reading-messages.ts'
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

/**
 * Starts the thread that reads an open file, which must stay open until the thread has ended. Throws the errors of
 * loading its code.
 */
export async function startReadingThread(
  { path, descriptor, bytes }: OpenFile,
  options: SourceOptions,
  limits: SourceLimits,
  refuse: Refuse,
): Promise<ReadingThread> {
  const worker = startWorker(await readingCode(), { file: { path, descriptor, bytes }, options }, limits)
  const pending = new Map<number, PendingRequest>()
  let hasStarted = false
  let requestCount = 0
  let holders = 0
  let failure: Error | undefined

  const fail = (error: Error) => {
    failure ??= error
    for (const each of pending.values()) each.reject(failure)
    pending.clear()
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
  worker.on('error', (error) => fail(refuseFailure(error, hasStarted, limits, refuse)))
  worker.on('exit', () => fail(refuse('damaged', endedEarly)))
  worker.unref()

  return {
    ask<A extends RequestKind>(kind: A, name?: string) {
      const reply = new Promise<Replies[A]>((resolve, reject) => {
        if (failure) return reject(failure)
        const request: Request = { id: requestCount++, kind, ...(name !== undefined && { name }) }
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
      await worker.terminate()
    },
  }
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

function startWorker({ script, compiled }: ReadingCode, input: ReadingInput, limits: SourceLimits): Worker {
  return new Worker(script, {
    workerData: { ...input, code: compiled },
    name: 'reading',
    // The thread gets none of this process's preloaded modules, and not its environment, which contains secrets.
    execArgv: [],
    env: compileCache(),
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes, maxYoungGenerationSizeMb: youngMegabytes },
  })
}

// Rows are needed only for one batch. With 16 the garbage collector waits longer and the thread takes 10 to 30 MB more;
// with 4 it is slower.
const youngMegabytes = 8

/**
 * Returns the environment with which a thread finds the compile cache of its process. Measured: it starts in 50 ms
 * instead of 120.
 */
function compileCache(): Record<string, string> {
  const folder = module.getCompileCacheDir()
  // Node returns a sub-folder for its own version; the environment variable takes the parent.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

const endedEarly =
  'Reading the file stopped unexpectedly. Open it in the program it comes from, save it again and resend it.'

function refuseFailure(error: unknown, hasStarted: boolean, limits: SourceLimits, refuse: Refuse): Error {
  const { code } = error as { code?: unknown }
  if (hasStarted && code === 'ERR_WORKER_OUT_OF_MEMORY') {
    const sentence = `Reading the file takes more than ${limits.heapMegabytes} MB of memory, the limit. Send the table as CSV or in parts.`
    return refuse('limit', sentence)
  }
  if (!hasStarted && error instanceof Error) return error
  return refuse('damaged', endedEarly)
}
