// The environment's part: addresses that are safe, secrets from files, and nothing of them in what is shown.

import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { readStorageSettings } from '#config/settings.ts'
import { about, goodEnv, goodFile, readWritten, refusalOf, testFolder } from './written.ts'

const { CREDSYNC_SECRET: _, ...noSecret } = goodEnv

describe('the address of the service', () => {
  test.each(['http://127.0.0.1:8099', 'http://localhost', 'http://[::1]:1', 'https://service.example'])(
    '%s is taken',
    async (address) => {
      expect((await readWritten(goodFile, { ...goodEnv, CREDSYNC_BASE_URL: address })).baseUrl).toBe(address)
    },
  )

  test.each(['http://service.example', 'http://127.0.0.1.service.example', 'http://10.0.0.1', 'service.example', '//'])(
    '%s is refused, for keys would travel unprotected',
    async (address) => {
      const error = await refusalOf(readWritten(goodFile, { ...goodEnv, CREDSYNC_BASE_URL: address }))
      expect(about(error, 'CREDSYNC_BASE_URL')[0]).toContain('is not an https:// address')
    },
  )
})

describe('a secret in a mounted file', () => {
  test('is read without the newline at its end', async () => {
    const path = join(await testFolder(), 'secret')
    await writeFile(path, 'from-the-file\n')
    const settings = await readWritten(goodFile, { ...noSecret, CREDSYNC_SECRET_FILE: path })
    expect(settings.secret.reveal()).toBe('from-the-file')
  })

  test('works for every address and secret there is', async () => {
    const folder = await testFolder()
    const values = {
      CREDSYNC_BASE_URL: 'https://file.example',
      CREDSYNC_KEY: 'file-key',
      CREDSYNC_SECRET: 'file-secret',
      DATABASE_URL: 'postgres://file.example/db',
      REDIS_URL: 'rediss://file.example',
    }
    const env: Record<string, string> = {}
    for (const [name, value] of Object.entries(values)) {
      env[`${name}_FILE`] = join(folder, name)
      await writeFile(join(folder, name), value)
    }
    const { baseUrl, key, secret, databaseUrl, redisUrl } = await readWritten(goodFile, env)
    expect([baseUrl, key.reveal(), secret.reveal(), databaseUrl?.reveal(), redisUrl?.reveal()]).toEqual(
      Object.values(values),
    )
  })

  test('is refused when the secret is given a second time', async () => {
    const path = join(await testFolder(), 'secret')
    await writeFile(path, 'from-the-file')
    const error = await refusalOf(readWritten(goodFile, { ...goodEnv, CREDSYNC_SECRET_FILE: path }))
    expect(about(error, 'CREDSYNC_SECRET')[0]).toContain('is given twice')
    expect(error.faults).toHaveLength(1)
  })

  test('is refused when the file is empty', async () => {
    const path = join(await testFolder(), 'secret')
    await writeFile(path, ' \n')
    const error = await refusalOf(readWritten(goodFile, { ...noSecret, CREDSYNC_SECRET_FILE: path }))
    expect(error.faults).toEqual([{ where: 'CREDSYNC_SECRET_FILE', sentence: 'names an empty file' }])
  })

  test('is refused when the file cannot be read: missing, or a folder', async () => {
    const folder = await testFolder()
    for (const path of [join(folder, 'nowhere'), folder]) {
      const error = await refusalOf(readWritten(goodFile, { ...noSecret, CREDSYNC_SECRET_FILE: path }))
      expect(error.faults).toEqual([{ where: 'CREDSYNC_SECRET_FILE', sentence: 'names a file that cannot be read' }])
    }
  })

  // Root reads every file, whatever its mode.
  test.skipIf(process.geteuid?.() === 0)('is refused when its mode forbids reading', async () => {
    const path = join(await testFolder(), 'secret')
    await writeFile(path, 'x')
    await chmod(path, 0o000)
    const error = await refusalOf(readWritten(goodFile, { ...noSecret, CREDSYNC_SECRET_FILE: path }))
    expect(about(error, 'CREDSYNC_SECRET_FILE')).toHaveLength(1)
  })
})

describe('storage', () => {
  test('refuses an address that none can be read from, and never quotes it', async () => {
    const env = { ...goodEnv, DATABASE_URL: 'postgres://me:planted/pass#word@db.example:port/x' }
    const error = await refusalOf(readWritten(goodFile, env))
    expect(error.faults).toEqual([{ where: 'DATABASE_URL', sentence: expect.stringContaining('percent-encoded') }])
    expect(error.message).not.toContain('planted')
  })

  test('refuses REDIS_URL without DATABASE_URL, for every command', async () => {
    const env = { ...goodEnv, REDIS_URL: 'redis://redis.example' }
    const sentence = expect.stringContaining('is set without DATABASE_URL')
    expect(about(await refusalOf(readWritten(goodFile, env)), 'REDIS_URL')).toEqual([sentence])
    const reading = readStorageSettings({ env: { REDIS_URL: env.REDIS_URL }, cwd: '/' })
    expect(about(await refusalOf(reading), 'REDIS_URL')).toEqual([sentence])
  })

  test('refuses addresses of another kind', async () => {
    const env = { ...goodEnv, DATABASE_URL: 'mysql://db.example', REDIS_URL: 'http://redis.example' }
    const error = await refusalOf(readWritten(goodFile, env))
    expect(error.faults.map((fault) => fault.where)).toEqual(['DATABASE_URL', 'REDIS_URL'])
  })

  test('needs neither keys nor a file for reading the ledger', async () => {
    const settings = await readStorageSettings({ env: { CREDSYNC_DATA_DIR: 'here' }, cwd: '/base' })
    expect(settings).toEqual({ databaseUrl: null, dataDir: '/base/here' })
  })
})

describe('secrets', () => {
  const planted = {
    CREDSYNC_BASE_URL: 'https://service.example',
    CREDSYNC_KEY: 'planted-key',
    CREDSYNC_SECRET: 'planted-secret',
    DATABASE_URL: 'postgres://me:planted-password@db.example/x',
    REDIS_URL: 'redis://:planted-password@redis.example',
  }

  test('are in no form of the settings that is printed', async () => {
    const settings = await readWritten(goodFile, planted)
    const shown = [JSON.stringify(settings), inspect(settings, { depth: 9, showHidden: true }), `${settings.secret}`]
    for (const text of shown) expect(text).not.toContain('planted')
    expect(settings.key.reveal()).toBe('planted-key')
    expect(settings.databaseUrl?.reveal()).toContain('planted-password')
  })

  test('are in no fault, whatever is wrong with them', async () => {
    const env = {
      CREDSYNC_BASE_URL: 'http://me:planted-password@service.example',
      CREDSYNC_KEY: 'planted-key',
      CREDSYNC_SECRET: 'planted-secret',
      CREDSYNC_SECRET_FILE: '/nowhere',
      DATABASE_URL: 'planted-password@db.example',
      REDIS_URL: 'planted-password@redis.example',
      CREDSYNC_LOG_LEVEL: 'planted-level',
    }
    const error = await refusalOf(readWritten(goodFile, env))
    expect(error.faults.map((fault) => fault.where).sort()).toEqual(
      ['CREDSYNC_BASE_URL', 'CREDSYNC_LOG_LEVEL', 'CREDSYNC_SECRET', 'DATABASE_URL', 'REDIS_URL'].sort(),
    )
    expect(inspect(error) + JSON.stringify(error)).not.toContain('planted')
  })
})
