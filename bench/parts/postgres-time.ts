// Reads the CPU time of an embedded PostgreSQL with all its processes, including those that have ended. Linux only.

import { readdirSync, readFileSync } from 'node:fs'

/** A tick of /proc is a hundredth of a second on every platform that Node supports. */
const msPerTick = 10

/** Returns the CPU time so far in milliseconds. @param pid of the server, from postmaster.pid */
export function postgresCpuMs(pid: number): number {
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = statOf(name)
    if (Number(name) === pid) ticks += sum(stat.slice(11, 15))
    else if (Number(stat[1]) === pid) ticks += sum(stat.slice(11, 13))
  }
  return ticks * msPerTick
}

/**
 * Returns the fields from the third on: state, parent, and so on. Elements 11 to 14 of the array are the user and
 * system times, first of the process and then of its ended children.
 */
function statOf(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

const sum = (texts: readonly string[]) => texts.reduce((total, text) => total + Number(text), 0)
