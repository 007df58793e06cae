// Takes a list from a form and writes it to the disk as it arrives, so that its size does not matter to the memory. What
// the file contains is found out later, by reading it. Reads a request and writes a file.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { flushFolder } from '#src/files/tables/flush-folder.ts'
import { freeBytes, isFullDisk, keptFreeBytes } from '#src/platform/free-disk.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { TooLateError, within } from '#src/platform/time/deadline.ts'
import { storedName, uploadedName } from './uploaded-name.ts'

/** The body of a request with a form that has a file. */
export interface IncomingForm {
  contentType: string
  /** By its header; null if it does not say. */
  length: number | null
  body: Readable
}

export interface ReceivedList {
  pipeline: string
  name: string
  file: string
  bytes: number
  sha256: string
}

/** Why a list was not taken, as a sentence for the person. */
export class ListRefusedError extends Error {
  override readonly name = 'ListRefusedError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface ReceiveOptions {
  clock: Clock
  /** Where the file is written. */
  folder: string
  maxBytes: number
  mayUse: (pipeline: string) => boolean
  /** How long the browser may send nothing. */
  idleMs?: number
  freeBytesOf?: (folder: string) => Promise<number>
}

/** What a form adds to its file. */
const maxFormBytes = 16_384
const lookEveryBytes = 16 * 1024 * 1024
const limits = {
  files: 1,
  fields: 4,
  parts: 6,
  fieldNameSize: 100,
  fieldSize: 1_000,
  headerPairs: 20,
  headerSize: 8_192,
}

const tooLarge = (maxBytes: number) =>
  new ListRefusedError(
    413,
    `The file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB, which no list needs. Split it into several files.`,
  )
const fullDisk = () =>
  new ListRefusedError(
    507,
    'There is not enough space on the disk of this machine, so the file was not kept. Ask whoever runs credsync to make room, and upload it again.',
  )
const notAForm = () => new ListRefusedError(400, 'The file did not arrive whole, and was not kept. Upload it again.')

/**
 * @returns the list, which is on disk
 * @throws ListRefusedError; then the folder may have a part of the file
 */
export async function receiveList(incoming: IncomingForm, options: ReceiveOptions): Promise<ReceivedList> {
  const { maxBytes, folder, freeBytesOf = freeBytes } = options
  const { length } = incoming
  if (length !== null && length > maxBytes + maxFormBytes) throw tooLarge(maxBytes)
  if ((await freeBytesOf(folder)) - (length ?? 0) < keptFreeBytes) throw fullDisk()
  const form = openForm(incoming.contentType, { ...options, freeBytesOf })
  try {
    await feed(incoming.body, form, options)
    return await form.result()
  } catch (error) {
    await form.stop()
    throw refusedBy(error)
  }
}

function refusedBy(error: unknown): Error {
  const refusal = refusalOfDisk(error)
  if (refusal) return refusal
  // Of the file system, which the log must show.
  const { code = '' } = error as NodeJS.ErrnoException
  return /^E(ACCES|IO|ROFS|NOENT|MFILE)$/.test(code) ? (error as Error) : notAForm()
}

/** The refusal that an error is, or leads to because the disk is full; null for another error. */
export function refusalOfDisk(error: unknown): ListRefusedError | null {
  if (error instanceof ListRefusedError) return error
  return isFullDisk(error) ? fullDisk() : null
}

interface OpenForm {
  parser: BusboyInstance
  /** Rejects as soon as the rest of the form is of no use. */
  failure: Promise<never>
  /** Resolves when nothing is written any more. */
  stop(): Promise<void>
  result(): Promise<ReceivedList>
}

function openForm(
  contentType: string,
  options: Required<Pick<ReceiveOptions, 'freeBytesOf'>> & ReceiveOptions,
): OpenForm {
  const { promise: failure, reject } = Promise.withResolvers<never>()
  failure.catch(() => {})
  const parser = openParser(contentType, options.maxBytes)
  let pipeline: string | null = null
  let file: BusboyFileStream | null = null
  let list: Promise<Omit<ReceivedList, 'pipeline'>> | null = null
  parser.on('field', (name, value) => {
    if (name === 'pipeline') pipeline ??= value
  })
  parser.on('file', (field, stream, sent) => {
    // An error of the form also ends its file, and is reported by the parser.
    stream.on('error', () => {})
    // A form without a chosen file has an empty one without a name.
    if (field !== 'list' || !sent) return stream.resume()
    if (pipeline === null || !options.mayUse(pipeline)) {
      stream.resume()
      return reject(new ListRefusedError(422, 'Choose the pipeline.'))
    }
    const name = uploadedName(sent)
    file = stream
    list = writeList(stream, { ...options, name })
    list.catch(reject)
  })
  parser.on('error', reject)
  for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) parser.on(limit, () => reject(notAForm()))
  return {
    parser,
    failure,
    async stop() {
      parser.destroy()
      file?.destroy()
      await list?.catch(() => {})
    },
    async result() {
      if (list === null || pipeline === null) throw new ListRefusedError(422, 'Choose a file.')
      const written = await list
      if (written.bytes === 0) throw new ListRefusedError(422, 'The file is empty.')
      return { pipeline, ...written }
    },
  }
}

/** @throws ListRefusedError for a form without a boundary */
function openParser(contentType: string, maxBytes: number): BusboyInstance {
  try {
    const headers = { 'content-type': contentType } as BusboyHeaders
    return new Busboy({ headers, preservePath: true, limits: { ...limits, fileSize: maxBytes } })
  } catch {
    throw notAForm()
  }
}

async function feed(body: Readable, { parser, failure }: OpenForm, options: ReceiveOptions): Promise<void> {
  const { clock, maxBytes, idleMs = 60_000 } = options
  const finished = once(parser, 'finish')
  finished.catch(() => {})
  // The rest of a refused body is left to the server: destroying it would close the connection before the answer.
  const chunks = body.iterator({ destroyOnReturn: false })
  let received = 0
  const next = async () => {
    try {
      return await within(clock, idleMs, Promise.race([chunks.next(), failure]))
    } catch (error) {
      if (error instanceof TooLateError) body.destroy()
      throw error
    }
  }
  for (let step = await next(); !step.done; step = await next()) {
    received += step.value.length
    if (received > maxBytes + maxFormBytes) throw tooLarge(maxBytes)
    if (!parser.write(step.value)) await Promise.race([once(parser, 'drain'), failure])
  }
  parser.end()
  await Promise.race([finished, failure])
}

interface ListToWrite extends ReceiveOptions {
  name: string
  freeBytesOf: (folder: string) => Promise<number>
}

async function writeList(stream: BusboyFileStream, options: ListToWrite): Promise<Omit<ReceivedList, 'pipeline'>> {
  const { folder, name, maxBytes, freeBytesOf } = options
  const stored = storedName(name)
  const hash = createHash('sha256')
  let [bytes, nextLook] = [0, lookEveryBytes]
  const file = await open(join(folder, stored), 'wx', 0o600)
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length
      hash.update(chunk)
      await file.writeFile(chunk)
      if (bytes < nextLook) continue
      nextLook += lookEveryBytes
      if ((await freeBytesOf(folder)) < keptFreeBytes) throw fullDisk()
    }
    if (stream.truncated) throw tooLarge(maxBytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await flushFolder(folder)
  return { name, file: stored, bytes, sha256: hash.digest('hex') }
}
