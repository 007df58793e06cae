// Starts the threads that read files, and keeps one that is idle for the next file, because starting a thread costs
// more than reading a small file (docs/decisions/0003-reading-xlsx.md#0058).

import module from 'node:module'
import { dirname, extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { idle, type ReadingReply, started } from './reading-messages.ts'
import { gatherModules, type ThreadModules } from './thread-modules.ts'

export interface RunningThread {
  worker: Worker
  /** Whether the thread has loaded its code. A failure before that is not the fault of a file. */
  hasStarted: boolean
  heapMegabytes: number
  /** The number of files that were given to the thread. */
  files: number
}

/** Larger files are worth a thread of their own, and leave a large heap behind. */
const smallFileBytes = 1024 * 1024

let kept: RunningThread | null = null

/** Returns the idle thread if it has the same limit, or starts one. Throws the errors of loading its code. */
export async function takeThread(heapMegabytes: number): Promise<RunningThread> {
  const code = await readingCode()
  if (kept?.heapMegabytes !== heapMegabytes) return startThread(code, heapMegabytes)
  const thread = kept
  kept = null
  thread.files++
  return thread
}

/** Keeps a thread that has read a file of `bytes` to its end, without any failure, or ends it. */
export async function keepThread(thread: RunningThread, bytes: number): Promise<void> {
  if (kept || bytes > smallFileBytes) await thread.worker.terminate()
  else kept = thread
}

function startThread({ script, compiled }: ReadingCode, heapMegabytes: number): RunningThread {
  const worker = new Worker(script, {
    workerData: { code: compiled },
    name: 'reading',
    // The thread gets none of this process's preloaded modules, and not its environment, which contains secrets.
    execArgv: [],
    env: compileCache(),
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: youngMegabytes },
  })
  const thread: RunningThread = { worker, hasStarted: false, heapMegabytes, files: 1 }
  const forget = () => {
    if (kept === thread) kept = null
  }
  worker.on('message', (message: typeof started | typeof idle | ReadingReply) => {
    if (message === started) thread.hasStarted = true
    if (message !== idle || kept !== thread) return
    forget()
    void worker.terminate()
  })
  worker.on('error', forget)
  worker.on('exit', forget)
  worker.unref()
  return thread
}

// Rows are needed only for one batch. With 16 the garbage collector waits longer and the thread takes 10 to 30 MB more;
// with 4 it is slower.
const youngMegabytes = 8

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
