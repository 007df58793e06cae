// The other side of a reading thread: opens one source and answers for it. Started by reading-thread.ts.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { packRows } from './packed-rows.ts'
import { readHere } from './read-here.ts'
import { begun, type ReadingOrder, type Replies, type Reply, type Request } from './reading-messages.ts'
import type { Source } from './source.ts'
import { asRefusal, refusalsOf } from './source-error.ts'

// Nobody sees a stack from here, and csv-parse makes an error for every row of another length than the one before: with
// stacks, 400,000 of them took 16 s instead of 6.
Error.stackTraceLimit = 0

const port = parentPort as MessagePort
const { path, options } = workerData as ReadingOrder
port.postMessage(begun)

const opening = readHere(path, options)
// It is waited for by each answer, of which there may be none yet.
opening.catch(() => {})
const batches = opening.then((source) => source.batches()[Symbol.asyncIterator]())
batches.catch(() => {})
let told = 0

port.on('message', (request: Request) => {
  answer(request).then(
    (reply) => post({ id: request.id, reply }, reply instanceof Uint8Array ? [reply.buffer] : []),
    (error) => post({ id: request.id, refused: wordsOf(error) }, []),
  )
})

async function answer(request: Request): Promise<Replies[Request['asks']]> {
  const source = await opening
  switch (request.asks) {
    case 'open': {
      const { format, separator, header, notices, images } = source
      told = notices.length
      return { format, separator, header, notices, images: images?.list ?? null }
    }
    case 'next':
      return readNext(source)
    case 'image':
      return await readImage(source, request.name ?? '')
  }
}

async function readNext(source: Source): Promise<Replies['next']> {
  const next = await (await batches).next()
  const notices = source.notices.slice(told)
  told = source.notices.length
  const merged = next.done ? source.merged : []
  return { rows: next.done ? null : packRows(next.value, source.header.length), notices, merged }
}

/** A copy that can be handed over: a small Buffer shares its memory with others. */
async function readImage(source: Source, name: string): Promise<Replies['image']> {
  if (!source.images) throw refusalsOf(path)('archive', 'The file holds no images.')
  return new Uint8Array(await source.images.read(name))
}

function post(reply: Reply, moved: ArrayBuffer[]): void {
  port.postMessage(reply, moved)
}

function wordsOf(error: unknown) {
  const { code, sentence } = asRefusal(
    error,
    refusalsOf(path),
    'damaged',
    'The file could not be read to its end. Save it again and send it anew.',
  )
  return { code, sentence }
}
