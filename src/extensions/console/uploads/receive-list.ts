// Receives a list from a form and writes it to disk as it arrives, so that a large list needs no more memory than a
// small one. Names the file safely; what it contains is found out later, by reading it. Reads a request and writes a
// file.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { flushFolder } from '#src/files/tables/make-folders.ts'
import { safeFileName } from '#src/issuing/results/outbox.ts'
import { harmlessName } from '#src/platform/text.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { TooLateError, within } from '#src/platform/time/deadline.ts'
import { fullDisk, ListRefusedError, notAForm, ofUnknownLength, refusalOfDisk, tooLarge } from './list-refusals.ts'
import type { ReservedSpace } from './reserved-space.ts'

/** The body of a request with a form that has a file. */
export interface IncomingForm {
  contentType: string
  /** According to its header; null if it does not say. */
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

export interface ReceiveOptions {
  clock: Clock
  /** Where the file is written. */
  folder: string
  maxBytes: number
  mayUse: (pipeline: string) => boolean
  /** How long the browser may send nothing. */
  idleMs?: number
  /** The space that is reserved for the list, of the size that `lengthOf` returns. */
  space: Pick<ReservedSpace, 'wrote' | 'isShort'>
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

/**
 * The most bytes that the form can have, according to its header. The space for them is reserved before any are read.
 * @throws ListRefusedError if it has too many, or does not say how many
 */
export function lengthOf({ length }: Pick<IncomingForm, 'length'>, maxBytes: number): number {
  if (length === null) throw ofUnknownLength()
  if (length > maxBytes + maxFormBytes) throw tooLarge(maxBytes)
  return length
}

/**
 * @returns the list, which is on disk
 * @throws ListRefusedError; then the folder may contain a part of the file
 */
export async function receiveList(incoming: IncomingForm, options: ReceiveOptions): Promise<ReceivedList> {
  const form = openForm(incoming.contentType, options)
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
  // An error of the file system, which the log must show.
  const { code = '' } = error as NodeJS.ErrnoException
  return /^E(ACCES|IO|ROFS|NOENT|MFILE)$/.test(code) ? (error as Error) : notAForm()
}

function openForm(contentType: string, options: ReceiveOptions) {
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
    /** Rejects as soon as the rest of the form is of no use. */
    failure,
    /** Resolves when nothing is written any more. */
    async stop(): Promise<void> {
      parser.destroy()
      file?.destroy()
      await list?.catch(() => {})
    },
    async result(): Promise<ReceivedList> {
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

async function feed(
  body: Readable,
  { parser, failure }: ReturnType<typeof openForm>,
  options: ReceiveOptions,
): Promise<void> {
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

async function writeList(
  stream: BusboyFileStream,
  options: ReceiveOptions & { name: string },
): Promise<Omit<ReceivedList, 'pipeline'>> {
  const { folder, name, maxBytes, space } = options
  const stored = storedName(name)
  const hash = createHash('sha256')
  let [bytes, nextLook] = [0, lookEveryBytes]
  const file = await open(join(folder, stored), 'wx', 0o600)
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length
      hash.update(chunk)
      await file.writeFile(chunk)
      space.wrote(chunk.length)
      if (bytes < nextLook) continue
      nextLook += lookEveryBytes
      if (await space.isShort()) throw fullDisk()
    }
    if (stream.truncated) throw tooLarge(maxBytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await flushFolder(folder)
  return { name, file: stored, bytes, sha256: hash.digest('hex') }
}

/** Of the name for people, in characters. */
const maxLength = 200

/**
 * The name for people, from the one that the browser sends, which may be anything: without folders, and without what
 * would mislead them.
 */
export function uploadedName(sent: string): string {
  const name = harmlessName((sent.split(/[\\/]/).at(-1) ?? '').normalize('NFC'))
    .trim()
    .toWellFormed()
  const [ending = ''] = /\.[^.]{1,10}$/.exec(name) ?? []
  const short = name.length > maxLength ? `${name.slice(0, maxLength - ending.length).toWellFormed()}${ending}` : name
  return /^\.*$/.test(short) ? 'list' : short
}

/** The name for the disk, which no folder and no other file can have. */
export function storedName(shown: string): string {
  const [ending = ''] = /\.[a-z0-9]{1,5}$/i.exec(shown) ?? []
  return `${safeFileName(shown)}${ending.toLowerCase()}`
}
