// Processor time of an embedded PostgreSQL with all its processes, ended ones too. Linux only.

import { readdirSync, readFileSync } from 'node:fs'

/** A tick of /proc is a hundredth of a second everywhere that Node runs on. */
const msPerTick = 10

/** Milliseconds so far. @param pid of the server (SELECT by pg_read_file is not needed: postmaster.pid holds it) */
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

/** Fields from the third on: state, parent, …; user, system, and those of ended children at 11 to 14. */
function statOf(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

const sum = (texts: readonly string[]) => texts.reduce((total, text) => total + Number(text), 0)
