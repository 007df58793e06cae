// Arrays as PostgreSQL reads them without parsing: a Buffer is handed over as it is. As text, each element is written, quoted and escaped by the
// driver and read back letter by letter: measured on rows of a file, that took longer than inserting them.
// Source of the form: array_recv, jsonb_recv and byteasend in PostgreSQL's src/backend/utils/adt.

const oids = { int: 23, bytes: 17, json: 3802 } as const

/** For a parameter of `int[]`. Whole numbers of 32 bits. */
export function intArray(values: readonly number[]): Buffer {
  const array = headOf(oids.int, values.length, values.length * 8)
  let at = headSize
  for (const value of values) {
    array.writeInt32BE(4, at)
    array.writeInt32BE(value, at + 4)
    at += 8
  }
  return array
}

/** For a parameter of `bytea[]`. */
export function bytesArray(values: readonly (Uint8Array | null)[]): Buffer {
  let size = 0
  for (const value of values) size += 4 + (value?.length ?? 0)
  const array = headOf(oids.bytes, values.length, size)
  let at = headSize
  for (const value of values) {
    at = array.writeInt32BE(value?.length ?? -1, at)
    if (!value) continue
    array.set(value, at)
    at += value.length
  }
  return array
}

/** For a parameter of `jsonb[]`. @param values JSON texts */
export function jsonArray(values: readonly (string | null)[]): Buffer {
  let size = 0
  // Measured first: what is taken for the longest case and not used is still there until the next collection.
  for (const value of values) size += value === null ? 4 : 5 + Buffer.byteLength(value)
  const array = headOf(oids.json, values.length, size)
  let at = headSize
  for (const value of values) {
    if (value === null) {
      at = array.writeInt32BE(-1, at)
      continue
    }
    const written = array.write(value, at + 5)
    array.writeInt32BE(written + 1, at)
    // The version of the form.
    array[at + 4] = 1
    at += 5 + written
  }
  return array
}

const headSize = 20

/** One dimension, with or without nulls, counted from 1. */
function headOf(oid: number, count: number, size: number): Buffer {
  const array = Buffer.allocUnsafe(headSize + size)
  array.writeInt32BE(1, 0)
  array.writeInt32BE(1, 4)
  array.writeInt32BE(oid, 8)
  array.writeInt32BE(count, 12)
  array.writeInt32BE(1, 16)
  return array
}
