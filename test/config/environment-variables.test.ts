// Settings from the environment: safe addresses, secrets from files, and no secret in any output.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { readStorageSettings } from '#config/storage-settings.ts'
import { goodEnv, goodFile, readConfiguration, refusalOf, sentencesAbout, testFolder } from './configuration-files.ts'

const { CREDSYNC_SECRET: _, ...envWithoutSecret } = goodEnv

describe('the address of the service', () => {
  test.each(['http://127.0.0.1:8099', 'http://localhost', 'http://[::1]:1', 'https://service.example'])(
    '%s is accepted',
    async (address) => {
      expect((await readConfiguration(goodFile, { ...goodEnv, CREDSYNC_BASE_URL: address })).baseUrl).toBe(address)
    },
  )

  test.each([
    'ftp://127.0.0.1',
    'http://service.example',
    'http://127.0.0.1.service.example',
    'http://10.0.0.1',
    'service.example',
    '//',
  ])('%s is refused, because keys would be sent unencrypted', async (address) => {
    const error = await refusalOf(readConfiguration(goodFile, { ...goodEnv, CREDSYNC_BASE_URL: address }))
    expect(sentencesAbout(error, 'CREDSYNC_BASE_URL')[0]).toContain('is not an https:// address')
  })
})

describe('a setting from a mounted file', () => {
  test('is read without its final newline', async () => {
    const path = join(await testFolder(), 'secret')
    await writeFile(path, 'from-the-file\n')
    const settings = await readConfiguration(goodFile, { ...envWithoutSecret, CREDSYNC_SECRET_FILE: path })
    expect(settings.secret.reveal()).toBe('from-the-file')
  })

  test('works for every address and secret', async () => {
    const folder = await testFolder()
    const values = {
      CREDSYNC_BASE_URL: 'https://file.example',
      CREDSYNC_KEY: 'file-key',
      CREDSYNC_SECRET: 'file-secret',
      DATABASE_URL: 'postgres://file.example/db?sslmode=verify-full',
      REDIS_URL: 'rediss://file.example',
    }
    const env: Record<string, string> = {}
    for (const [name, value] of Object.entries(values)) {
      env[`${name}_FILE`] = join(folder, name)
      await writeFile(join(folder, name), value)
    }
    const { baseUrl, key, secret, databaseUrl, redisUrl } = await readConfiguration(goodFile, env)
    expect([baseUrl, key.reveal(), secret.reveal(), databaseUrl?.reveal(), redisUrl?.reveal()]).toEqual(
      Object.values(values),
    )
  })

  test('is refused if the secret is also given directly', async () => {
    const path = join(await testFolder(), 'secret')
    await writeFile(path, 'from-the-file')
    const error = await refusalOf(readConfiguration(goodFile, { ...goodEnv, CREDSYNC_SECRET_FILE: path }))
    expect(sentencesAbout(error, 'CREDSYNC_SECRET')[0]).toContain('is given twice')
    expect(error.faults).toHaveLength(1)
  })

  test('is refused if the file is empty', async () => {
    const path = join(await testFolder(), 'secret')
    await writeFile(path, ' \n')
    const error = await refusalOf(readConfiguration(goodFile, { ...envWithoutSecret, CREDSYNC_SECRET_FILE: path }))
    expect(error.faults).toEqual([{ where: 'CREDSYNC_SECRET_FILE', sentence: 'names an empty file' }])
  })

  test('is refused if the file is missing or a folder', async () => {
    const folder = await testFolder()
    for (const path of [join(folder, 'nowhere'), folder]) {
      const error = await refusalOf(readConfiguration(goodFile, { ...envWithoutSecret, CREDSYNC_SECRET_FILE: path }))
      expect(error.faults).toEqual([{ where: 'CREDSYNC_SECRET_FILE', sentence: 'names a file that cannot be read' }])
    }
  })
})

describe('the settings of the storage', () => {
  test('may not contain an invalid address, which is never quoted', async () => {
    const env = { ...goodEnv, DATABASE_URL: 'postgres://me:planted/pass#word@db.example:port/x' }
    const error = await refusalOf(readConfiguration(goodFile, env))
    expect(error.faults).toEqual([{ where: 'DATABASE_URL', sentence: expect.stringContaining('percent-encoded') }])
    expect(error.message).not.toContain('planted')
  })

  test.each([
    'postgres://me:planted@127.0.0.1/our ledger',
    'postgres://me:planted%pass@127.0.0.1/x',
    'postgres://me:planted%2@127.0.0.1/x',
    'postgres://me:planted@127.0.0.1/x%2x',
    'postgres://me:planted%ff@127.0.0.1/x',
    'postgres://me:planted@127.0.0.1/x\n',
    // Because of the space, pg would encode the % again and connect to a host called %2Fvar.
    'postgres://me:planted@%2Fvar%2Frun/x y',
  ])(
    'may not contain the address %j, which pg could read differently; the error does not quote it',
    async (DATABASE_URL) => {
      for (const read of [
        () => readConfiguration(goodFile, { ...goodEnv, DATABASE_URL }),
        () => readStorageSettings({ env: { DATABASE_URL }, cwd: '/' }),
      ]) {
        const error = await refusalOf(read())
        expect(error.faults).toEqual([{ where: 'DATABASE_URL', sentence: expect.stringContaining('%25 for a %') }])
        expect(error.message).not.toContain('planted')
      }
    },
  )

  test('may not include REDIS_URL without DATABASE_URL, whatever the command', async () => {
    const env = { ...goodEnv, REDIS_URL: 'rediss://redis.example' }
    const sentence = expect.stringContaining('is set without DATABASE_URL')
    expect(sentencesAbout(await refusalOf(readConfiguration(goodFile, env)), 'REDIS_URL')).toEqual([sentence])
    const reading = readStorageSettings({ env: { REDIS_URL: env.REDIS_URL }, cwd: '/' })
    expect(sentencesAbout(await refusalOf(reading), 'REDIS_URL')).toEqual([sentence])
  })

  test('may not contain addresses of another scheme', async () => {
    for (const [DATABASE_URL, REDIS_URL] of [
      ['mysql://db.example', 'http://redis.example'],
      ['xpostgres://db.example', 'xredis://redis.example'],
    ] as const) {
      const error = await refusalOf(readConfiguration(goodFile, { ...goodEnv, DATABASE_URL, REDIS_URL }))
      expect(error.faults.map((fault) => fault.where)).toEqual(['DATABASE_URL', 'REDIS_URL'])
      expect(sentencesAbout(error, 'DATABASE_URL')[0]).toContain('postgres://')
    }
  })

  test('can be read without keys and without a configuration file', async () => {
    const settings = await readStorageSettings({ env: { CREDSYNC_DATA_DIR: 'here' }, cwd: '/base' })
    expect(settings).toEqual({ databaseUrl: null, hashKey: null, dataDir: '/base/here' })
    expect((await readStorageSettings({ env: {}, cwd: '/base' })).dataDir).toBe('/base/data')
  })
})

describe('variables of other programs', () => {
  const readStorage = (env: Record<string, string>) => readStorageSettings({ env, cwd: '/' })

  test('NODE_TLS_REJECT_UNAUTHORIZED=0 is refused by every command, with the correct alternative', async () => {
    const insecure = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
    for (const read of [() => readConfiguration(goodFile, { ...goodEnv, ...insecure }), () => readStorage(insecure)])
      expect(sentencesAbout(await refusalOf(read()), 'NODE_TLS_REJECT_UNAUTHORIZED')[0]).toContain(
        'NODE_EXTRA_CA_CERTS',
      )
    await readConfiguration(goodFile, { ...goodEnv, NODE_TLS_REJECT_UNAUTHORIZED: '1' })
  })

  test('REDIS_URL may choose a database and a family of addresses', async () => {
    const REDIS_URL = 'rediss://redis.example/?db=1&family=6'
    await readConfiguration(goodFile, { ...goodEnv, DATABASE_URL: 'postgres://127.0.0.1/x', REDIS_URL })
  })

  test.each([
    ['DATABASE_URL', 'postgres://me:planted@127.0.0.1/x?options=-c%20search_path%3Dpublic'],
    ['DATABASE_URL', 'postgres://me:planted@127.0.0.1/x?sslmode=require&statement_timeout=1'],
    ['REDIS_URL', 'rediss://:planted@redis.example/?tls='],
    ['REDIS_URL', 'rediss://:planted@redis.example/?db=1&commandTimeout=999999'],
  ])('%s is refused with a parameter that could replace TLS or our settings: %s', async (name, address) => {
    const env = { ...goodEnv, DATABASE_URL: 'postgres://127.0.0.1/x', [name]: address }
    for (const read of [() => readConfiguration(goodFile, env), () => readStorage(env)]) {
      const error = await refusalOf(read())
      expect(sentencesAbout(error, name)[0]).toContain('replace TLS')
      expect(error.message).not.toContain('planted')
    }
  })

  test('a level of the log that does not exist is refused with those that do', async () => {
    const error = await refusalOf(readConfiguration(goodFile, { ...goodEnv, CREDSYNC_LOG_LEVEL: 'loud' }))
    expect(sentencesAbout(error, 'CREDSYNC_LOG_LEVEL')).toEqual(['is not one of debug, info, warn, error, silent'])
  })

  test.each([
    ['PGOPTIONS', '-c search_path=public', 'Unset it'],
    ['PGPORT', '5e3', 'is not a port'],
  ])('%s is refused: %s', async (name, value, words) => {
    expect(sentencesAbout(await refusalOf(readStorage({ [name]: value })), name)[0]).toContain(words)
  })

  test('a parameter that replaces none of our settings is accepted', async () => {
    const DATABASE_URL = 'postgres://127.0.0.1/x?channel_binding=require'
    expect((await readStorage({ DATABASE_URL })).databaseUrl?.reveal()).toBe(DATABASE_URL)
  })
})

describe('secrets', () => {
  const planted = {
    CREDSYNC_BASE_URL: 'https://service.example',
    CREDSYNC_KEY: 'planted-key',
    CREDSYNC_SECRET: 'planted-secret',
    DATABASE_URL: 'postgres://me:planted-password@db.example/x?sslmode=verify-full',
    REDIS_URL: 'rediss://:planted-password@redis.example',
  }

  test('never appear when settings are printed', async () => {
    const settings = await readConfiguration(goodFile, planted)
    const printed = [JSON.stringify(settings), inspect(settings, { depth: 9, showHidden: true }), `${settings.secret}`]
    for (const text of printed) expect(text).not.toContain('planted')
    expect(settings.key.reveal()).toBe('planted-key')
    expect(settings.databaseUrl?.reveal()).toContain('planted-password')
  })

  test('never appear in an error, whatever is wrong with them', async () => {
    const env = {
      CREDSYNC_BASE_URL: 'http://me:planted-password@service.example',
      CREDSYNC_KEY: 'planted-key',
      CREDSYNC_SECRET: 'planted-secret',
      CREDSYNC_SECRET_FILE: '/nowhere',
      DATABASE_URL: 'planted-password@db.example',
      REDIS_URL: 'planted-password@redis.example',
      CREDSYNC_LOG_LEVEL: 'planted-level',
    }
    const error = await refusalOf(readConfiguration(goodFile, env))
    expect(error.faults.map((fault) => fault.where).sort()).toEqual(
      ['CREDSYNC_BASE_URL', 'CREDSYNC_LOG_LEVEL', 'CREDSYNC_SECRET', 'DATABASE_URL', 'REDIS_URL'].sort(),
    )
    expect(inspect(error) + JSON.stringify(error)).not.toContain('planted')
  })
})
