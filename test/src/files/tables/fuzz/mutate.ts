// Damages a file at random: its bytes, or the members of its ZIP.

import { buildZip, type ZipMember } from '#test/support/build-zip.ts'
import type { Dice } from '#test/support/seeded-random.ts'
import { unpack } from './unpack.ts'

type Change = (bytes: Buffer, dice: Dice, other: Buffer) => Buffer

// Fragments with a meaning for one of the parsers.
const tokens = [
  ...['"', '""', '\n', '\r', '\r\n', ',', ';', '\t', '\0', '\ufeff', '\ufffd', 'sep=;\n', '\xff', '\x80'],
  ...['\xed\xa0\x80', 'x'.repeat(5_000), 'PK\x03\x04', 'PK\x05\x06', 'PK\x01\x02', '<a>'.repeat(70)],
  ...['<row r="0"/>', '<c r="A1">', '<c r="ZZZ1"><v>1</v></c>', '<!DOCTYPE x>'],
  ...'< > /> <row> </row> <t> <v>1e999</v> <!-- <![CDATA[ ]]>'.split(' '),
  ...'&#0; &#xD800; &lt; &x; _x0000_ _xD800_ -1 99999999999999999999 1E400 NaN = @'.split(' '),
  ...[' t="s"', ' t="d"', ' s="99999"', ' r="1048577"', ' xml:space="preserve"', ' state="hidden"', ' date1904="1"'],
]

// Replacements for text between quotation marks or tags. Damage elsewhere usually makes the XML invalid before anything
// is read.
const values = [
  ...['', ' ', ...'0 1 2 -1 7.5 60 45352.5 99999 1e999 NaN 1048577 TRUE #N/A Quennell'.split(' ')],
  ...'s str inlineStr d b e n A1 A2 B2 ZZ9 XFD1 hidden veryHidden preserve'.split(' '),
  ...'yyyy-mm-dd 0000 [h]:mm [&lt;1]0;d 2024-13-45T99:99:99 2024-03-01T00:00:00Z'.split(' '),
  ...['&#x1F600;', '_x0000_', '_xD800_', 'x'.repeat(40_000), '٣', '１'],
  ...'xl/workbook.xml ../../x / worksheet http://x/worksheet'.split(' '),
]

/** Replaces some values in the XML, which stays as valid as before. */
export function mutateValues(xml: string, dice: Dice): string {
  let changed = xml
  for (let left = dice.between(1, 4); left > 0; left--) {
    const found = [...changed.matchAll(/(?<=")[^"<>]*(?=")|(?<=>)[^<>]*(?=<)/g)]
    if (found.length === 0) return changed
    const { index, 0: old } = dice.pick(found)
    changed = changed.slice(0, index) + dice.pick(values) + changed.slice(index + old.length)
  }
  return changed
}

const randomPosition = (bytes: Buffer, dice: Dice) => dice.between(0, bytes.length)
const randomRange = (bytes: Buffer, dice: Dice) => {
  const from = randomPosition(bytes, dice)
  return [from, Math.min(bytes.length, from + dice.between(1, dice.pick([4, 64, 4_096])))] as const
}

const changes: Record<string, Change> = {
  flips(bytes, dice) {
    const copy = Buffer.from(bytes)
    for (let left = dice.between(1, 8); left > 0 && copy.length > 0; left--) {
      const at = dice.between(0, copy.length - 1)
      copy[at] = dice.chance(0.5) ? dice.between(0, 255) : (copy[at] as number) ^ (1 << dice.between(0, 7))
    }
    return copy
  },
  cuts: (bytes, dice) => bytes.subarray(0, randomPosition(bytes, dice)),
  drops(bytes, dice) {
    const [from, to] = randomRange(bytes, dice)
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
  },
  repeats(bytes, dice) {
    const [from, to] = randomRange(bytes, dice)
    const times = dice.pick([1, 2, 50])
    return Buffer.concat([bytes.subarray(0, to), ...Array(times).fill(bytes.subarray(from, to)), bytes.subarray(to)])
  },
  inserts(bytes, dice) {
    const at = randomPosition(bytes, dice)
    const token = Buffer.from(dice.pick(tokens), dice.chance(0.5) ? 'utf8' : 'latin1')
    return Buffer.concat([bytes.subarray(0, at), token, bytes.subarray(at)])
  },
  splices: (bytes, dice, other) =>
    Buffer.concat([bytes.subarray(0, randomPosition(bytes, dice)), other.subarray(randomPosition(other, dice))]),
}
const names = Object.keys(changes)

/** Applies some changes to `bytes`. @param other a second file from which parts are inserted */
export function mutateBytes(bytes: Buffer, dice: Dice, other: Buffer): Buffer {
  let changed = bytes
  for (let left = dice.between(1, 3); left > 0; left--)
    changed = (changes[dice.pick(names)] as Change)(changed, dice, other)
  return changed
}

/** Changes or mislabels one member of the ZIP; returns undefined if `bytes` are not a complete ZIP. */
export function mutateInside(bytes: Buffer, dice: Dice, other: Buffer): Buffer | undefined {
  const members = unpack(bytes)
  if (!members || members.length === 0) return undefined
  const index = dice.between(0, members.length - 1)
  const chosen = members[index] as ZipMember
  if (dice.chance(0.5)) members[index] = { ...chosen, content: mutateValues(String(chosen.content), dice) }
  else if (dice.chance(0.8))
    members[index] = { ...chosen, content: mutateBytes(Buffer.from(chosen.content), dice, other) }
  else members[index] = { ...chosen, ...spoilEntry(chosen, dice) }
  if (dice.chance(0.1)) members.splice(dice.between(0, members.length - 1), 1)
  return buildZip(members)
}

function spoilEntry(member: ZipMember, dice: Dice): Partial<ZipMember> {
  return dice.pick<Partial<ZipMember>>([
    { lies: { size: dice.between(0, 2 ** 31) } },
    { lies: { crc: dice.between(0, 2 ** 31) } },
    { lies: { flags: dice.between(0, 0xffff) } },
    { lies: { offset: dice.between(0, 4_096) } },
    { lies: { mode: dice.between(0, 0xffff) } },
    { lies: { method: dice.between(0, 14) } },
    {
      name: dice.pick(['', '/', '../a', 'a/', 'xl/workbook.xml', '_rels/.rels', `${member.name}x`, 'a'.repeat(9_000)]),
    },
    { deflate: !member.deflate },
  ])
}
