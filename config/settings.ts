// Reads the configuration file and the environment into one frozen object, or reports every fault at once.

import { readFile } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { parse as parseYaml, YAMLParseError } from 'yaml'
import { resolveArchiveFolders } from '#src/extensions/certificates/settings/check-references.ts'
import { checkConsoleReferences } from '#src/extensions/console/settings/check-references.ts'
import { checkSystemReferences } from '#src/extensions/lms/settings/check-references.ts'
import { checkNotifyReferences } from '#src/extensions/notices/settings/check-references.ts'
import { Secret } from '#src/platform/secret.ts'
import { parseDuration } from '#src/platform/time/duration.ts'
import { refusePlainAddresses } from './addresses-without-tls.ts'
import { plainAddressesInFile } from './addresses-without-tls-in-file.ts'
import { readEnvironment } from './environment-variables.ts'
import { resolveInboxFolders } from './inbox-folders.ts'
import { readVariable, SettingsError, type SettingsFault } from './read-variable.ts'
import { type FileSettings, fileSchema } from './schema.ts'
import { faultsOf } from './schema-faults.ts'

export interface Settings {
  configPath: string
  baseUrl: string
  key: Secret
  secret: Secret
  databaseUrl: Secret | null
  redisUrl: Secret | null
  /** The key of the ledger's hashes in hexadecimal digits, if it is not in the database. */
  hashKey?: Secret | null
  dataDir: string
  file: FileSettings
}

export interface ReadSettingsOptions {
  env: Readonly<Record<string, string | undefined>>
  /** A path given with --config; relative paths are resolved from `cwd`. */
  configPath?: string | undefined
  cwd: string
}

const defaultPath = 'config/credsync.yaml'

/** @throws SettingsError with every fault of the file and of the environment together */
export async function readSettings(sources: ReadSettingsOptions): Promise<Settings> {
  const faults: SettingsFault[] = []
  const absolutePath = (path: string) => (isAbsolute(path) ? path : resolve(sources.cwd, path))
  const configPath = absolutePath(sources.configPath ?? defaultPath)
  const environment = await readEnvironment(sources.env, faults)
  const dataDir = absolutePath(environment.dataDir)
  const read = await readFileSettings(configPath, sources.env, environment.allowPlain, faults)
  let file = read && (await resolveInboxFolders(read, absolutePath, dataDir, faults))
  if (file) file = await resolveArchiveFolders(file, absolutePath, dataDir, faults)
  if (file) checkSystemReferences(file, faults)
  if (file) checkNotifyReferences(file, faults)
  if (file) checkConsoleReferences(file, faults)
  const { baseUrl, key, secret } = environment
  if (faults.length > 0 || !baseUrl || !key || !secret || !file) throw new SettingsError(faults)
  return deepFreeze({
    configPath,
    baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ''),
    key: new Secret(key),
    secret: new Secret(secret),
    databaseUrl: environment.databaseUrl ? new Secret(environment.databaseUrl) : null,
    redisUrl: environment.redisUrl ? new Secret(environment.redisUrl) : null,
    hashKey: environment.hashKey ? new Secret(environment.hashKey) : null,
    dataDir,
    file: environment.logLevel ? { ...file, log: { level: environment.logLevel } } : file,
  })
}

/** Validates settings that were built in code (the demo, tests) by the same rules as a file. */
export function parseFileSettings(input: unknown): FileSettings {
  const result = fileSchema.safeParse(input)
  if (!result.success) throw new SettingsError(result.error.issues.flatMap(faultsOf))
  return result.data
}

/** @throws SettingsError if the text is not a duration, such as 15s */
export function durationMs(text: string): number {
  const ms = parseDuration(text)
  if (ms === null) throw new SettingsError([{ where: text, sentence: 'is not a duration' }])
  return ms
}

async function readFileSettings(
  path: string,
  env: ReadSettingsOptions['env'],
  allowPlain: readonly string[],
  faults: SettingsFault[],
): Promise<FileSettings | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch {
    faults.push({
      where: path,
      sentence: 'cannot be read. Copy config/credsync.example.yaml to this path, or name another file with --config',
    })
    return null
  }
  let input: unknown
  try {
    input = parseYaml(text)
  } catch (error) {
    const reason =
      error instanceof YAMLParseError ? `${error.code} at line ${error.linePos?.[0].line ?? '?'}` : 'unreadable'
    const tabs =
      error instanceof YAMLParseError && error.code === 'TAB_AS_INDENT' ? '; indent with spaces, not with tabs' : ''
    faults.push({ where: path, sentence: `is not valid YAML (${reason})${tabs}` })
    return null
  }
  const missing: SettingsFault[] = []
  const withValues = replacePlaceholders(input, await withMountedFiles(text, env, missing), missing, [])
  const result = fileSchema.safeParse(withValues)
  faults.push(...missing)
  refusePlainAddresses(plainAddressesInFile(withValues), allowPlain, faults)
  if (result.success) return result.data
  // A missing environment variable leaves its setting empty, which must be reported once, not twice.
  const reported = new Set(missing.map((fault) => fault.where))
  faults.push(...result.error.issues.flatMap(faultsOf).filter((fault) => !reported.has(fault.where)))
  return null
}

/**
 * Adds the values of those variables that the file uses and that are given as NAME_FILE, the path of a mounted file.
 */
async function withMountedFiles(
  text: string,
  env: ReadSettingsOptions['env'],
  faults: SettingsFault[],
): Promise<ReadSettingsOptions['env']> {
  const used = new Set([...text.matchAll(/\$\{([A-Z0-9_]+)\}/gi)].map(([, name = '']) => name))
  const values: Record<string, string> = {}
  for (const name of used) {
    const value = env[name] === undefined ? await readVariable(env, name, faults) : null
    if (value !== null) values[name] = value
  }
  return { ...env, ...values }
}

/**
 * Replaces ${NAME} in every string of the file. This is done after parsing the YAML, so that a value cannot change the
 * structure of the file.
 */
function replacePlaceholders(
  value: unknown,
  env: ReadSettingsOptions['env'],
  faults: SettingsFault[],
  path: string[],
): unknown {
  if (typeof value === 'string')
    return value.replace(/\$\{([A-Z0-9_]+)\}/gi, (_, name: string) => {
      if (env[name] === undefined)
        faults.push({ where: path.join('.'), sentence: `uses \${${name}}, but the environment has no ${name}` })
      return env[name] ?? ''
    })
  if (Array.isArray(value))
    return value.map((each, index) => replacePlaceholders(each, env, faults, [...path, String(index)]))
  if (value && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, replacePlaceholders(each, env, faults, [...path, key])]),
    )
  return value
}

function deepFreeze<T>(value: T): T {
  // Anything that is not an object counts as frozen.
  if (!Object.isFrozen(value) && !(value instanceof Secret)) {
    Object.freeze(value)
    for (const each of Object.values(value as object)) deepFreeze(each)
  }
  return value
}
