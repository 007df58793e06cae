// Checks that the deployment manifests (ports, paths, users, grace periods, exit codes) match the code.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { environmentRows, readEnvironment } from '#config/environment-variables.ts'
import type { SettingsFault } from '#config/read-variable.ts'
import { parseFileSettings } from '#config/settings.ts'
import { tuningOf } from '#src/app/tuning.ts'
import { workerConnections } from '#src/check/check-database.ts'
import { exitCode } from '#src/cli/exit-code.ts'
import { poolSize } from '#src/platform/database/database.ts'
import { stopTimeoutMs as databaseStopMs } from '#src/platform/database/embedded-server.ts'
import { closeMs, poolSizes } from '#src/platform/queue/postgres-store.ts'
import { queueNames } from '#src/platform/queue/queues.ts'
import { closeWorkersMs, interruptedJobMs } from '#src/platform/queue/stop-workers.ts'
import { answerMs } from '#src/platform/queue/stored-queues.ts'
import { parseDuration } from '#src/platform/time/duration.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const image = read('Dockerfile')
const unit = read('deploy/credsync.service')
const page = read('docs/deployment.md')
/** Joins lines, so that sentences can be searched. */
const flat = (text: string) => text.replace(/\s+/g, ' ')
const compose = parse(read('compose.yaml')).services.credsync
// Kubernetes reads YAML 1.1, where 0440 is octal.
const manifest = parseAllDocuments(read('deploy/kubernetes.yaml'), { version: '1.1' }).map((document) =>
  document.toJS(),
)
const kind = (name: string) => manifest.find((each) => each.kind === name)
const pods = kind('Deployment').spec
const pod = pods.template.spec
const container = pod.containers[0]

const example = parse(read('config/credsync.example.yaml'))
const defaults = parseFileSettings({ service: example.service, pipelines: example.pipelines })
/** The values of a setting in the unit, in file order. */
const settingsOf = (name: string) =>
  [...unit.matchAll(new RegExp(`^(?:# )?${name}=(.+)$`, 'gm'))].map((m) => m[1] ?? '')
/** The instruction of the last stage, which is the image. */
const instruction = (name: string) => [...image.matchAll(new RegExp(`^${name} (.+)$`, 'gm'))].at(-1)?.[1] ?? ''

/** How long the queues take to stop, beyond the time that running calls are given: see `stop` in src/platform/queue. */
const queuesMs = interruptedJobMs + closeWorkersMs + answerMs + closeMs
const stopMs = tuningOf({ file: defaults }).stopMs + queuesMs
const marginMs = 15_000

describe('the time allowed for a stop', () => {
  const seconds = (text: string) => Number(text) * 1_000
  test.each([
    ['Kubernetes', pod.terminationGracePeriodSeconds * 1_000, stopMs],
    [
      'Compose',
      [...compose.stop_grace_period.matchAll(/\d+[ms]/g)].reduce((sum, [each]) => sum + (parseDuration(each) ?? 0), 0),
      stopMs,
    ],
    ['docker stop', seconds(/give it (\d+)\./.exec(image)?.[1] ?? ''), stopMs],
    ['docker stop, in the page', seconds(/docker stop --time (\d+)/.exec(page)?.[1] ?? ''), stopMs],
    ['systemd', seconds(settingsOf('TimeoutStopSec')[0] ?? ''), stopMs + databaseStopMs],
  ])('is enough in %s', (_, grace, needed) => {
    expect(grace).toBeGreaterThanOrEqual(needed + marginMs)
  })

  test('is calculated correctly in the documents', () => {
    const [alone, embedded] = [stopMs / 1_000, (stopMs + databaseStopMs) / 1_000]
    expect(flat(page)).toContain(`That is ${alone} s, or ${embedded} s.`)
    expect(unit).toContain(`a stop takes ${embedded} s at most`)
    expect(flat(read('docs/operations.md'))).toContain(`written down: ${alone} seconds at most`)
  })
})

describe('the health pages', () => {
  const { port } = defaults.web
  const served = readdirSync(join(root, 'src/web'))
    .map((name) => read(`src/web/${name}`))
    .join('\n')
  test('have one port everywhere', () => {
    expect(instruction('EXPOSE')).toBe(String(port))
    expect(compose.ports).toEqual([`127.0.0.1:${port}:${port}`])
    expect(container.ports).toEqual([{ name: 'health', containerPort: port }])
    expect(/fetch\('(.+?)'\)/.exec(image)?.[1]).toBe(`http://127.0.0.1:${port}/health/live`)
  })

  test('are probed where they are served', () => {
    const { startupProbe, livenessProbe, readinessProbe } = container
    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)).toEqual([
      { path: '/health/live', port: 'health' },
      { path: '/health/live', port: 'health' },
      { path: '/health/ready', port: 'health' },
    ])
    for (const path of ['/health/live', '/health/ready']) expect(served).toContain(`'${path}'`)
  })

  test('listen for probes from outside the pod', () => {
    expect(parseFileSettings(parse(kind('ConfigMap').data['credsync.yaml'])).web).toMatchObject({
      host: '0.0.0.0',
      port,
    })
  })
})

describe('secrets', () => {
  const names = environmentRows.flatMap(([name = '']) => (name.endsWith('*') ? [`${/\w+/.exec(name)?.[0]}_FILE`] : []))

  test('are provided as files named by existing variables', () => {
    const inUnit = settingsOf('Environment').filter((setting) => setting.includes('_FILE='))
    const inPods: { name: string; value: string }[] = container.env.filter((each: { name: string }) =>
      /_FILE$/.test(each.name),
    )
    const inCompose = Object.keys(compose.environment).filter((name) => name.endsWith('_FILE'))
    expect(names.length).toBe(6)
    expect(inUnit.length).toBe(4)
    expect(inPods.length).toBe(4)
    expect(inCompose.length).toBe(4)
    for (const name of [
      ...inUnit.map((each) => each.split('=')[0]),
      ...inPods.map((variable) => variable.name),
      ...inCompose,
    ])
      expect(names).toContain(name)
  })

  test('are mounted where the variables say', () => {
    const credentials = settingsOf('LoadCredential').map((setting) => setting.split(':')[0])
    const named = settingsOf('Environment').flatMap((setting) => /=%d\/(.+)$/.exec(setting)?.[1] ?? [])
    expect(named).toEqual(credentials)
    const { mountPath } = container.volumeMounts.find((volumeMount: { name: string }) => volumeMount.name === 'secrets')
    const command = /kubectl create secret generic (\S+)((?: --from-file=\S+)+)/.exec(page)
    const keys = [...(command?.[2] ?? '').matchAll(/--from-file=(\S+)/g)].map((match) => match[1])
    const files = container.env.filter((each: { name: string }) => each.name.endsWith('_FILE'))
    expect(files.map((file: { value: string }) => file.value)).toEqual(keys.map((key) => `${mountPath}/${key}`))
    expect(command?.[1]).toBe(
      pod.volumes.find((volume: { name: string }) => volume.name === 'secrets').secret.secretName,
    )
    for (const [name, path] of Object.entries(compose.environment))
      if (name.endsWith('_FILE') && path !== `\${${name}:-}`)
        expect(compose.secrets.map((each: string) => `/run/secrets/${each}`)).toContain(path)
    const [inEnv] = /REDIS_URL_FILE=\/run\/secrets\/(\w+)/.exec(page) ?? []
    expect(compose.secrets).toContain(inEnv?.split('/').at(-1))
  })

  test('are generated by the documented commands, and none is in the repository', () => {
    const { secrets } = parse(read('compose.yaml'))
    for (const { file } of Object.values<{ file: string }>(secrets)) expect(page).toContain(file.replace('./', ''))
    expect(read('compose.yaml')).not.toMatch(/requirepass (?!…)/)
    expect(read('.gitignore').split('\n')).toContain('secrets/')
  })
})

describe('a server without TLS', () => {
  /** With the host names that the documents use. */
  const env = (allowed: string) => ({
    CREDSYNC_BASE_URL: 'https://service.example',
    CREDSYNC_KEY: 'k',
    CREDSYNC_SECRET: 's',
    DATABASE_URL: 'postgres://credsync:x@postgres:5432/credsync',
    CREDSYNC_ALLOW_PLAIN: allowed,
  })
  test('is explicitly allowed in Compose, and refused without that, as in Kubernetes', async () => {
    const read = async (hosts: string) => {
      const faults: SettingsFault[] = []
      await readEnvironment({ ...env(hosts), REDIS_URL: 'redis://:x@valkey:6379' }, faults)
      return faults.map(({ where }) => where)
    }
    expect(await read(compose.environment.CREDSYNC_ALLOW_PLAIN)).toEqual([])
    expect(await read('')).toEqual(['DATABASE_URL', 'REDIS_URL'])
    expect(container.env.map((each: { name: string }) => each.name)).not.toContain('CREDSYNC_ALLOW_PLAIN')
  })

  test('in Compose matches the addresses that the documented commands generate', () => {
    const hosts = compose.environment.CREDSYNC_ALLOW_PLAIN.split(',')
    for (const host of hosts) expect(page).toMatch(new RegExp(`@${host}:\\d+`))
    expect(Object.keys(parse(read('compose.yaml')).services)).toEqual(expect.arrayContaining(hosts))
  })
})

describe('the Valkey of Compose', () => {
  const { valkey } = parse(read('compose.yaml')).services

  test('takes its password from a file, which its health check uses too', () => {
    const [file] = valkey.secrets.map((each: string) => `/run/secrets/${each}`)
    expect(valkey.command[1]).toBe(file)
    expect(valkey.healthcheck.test[1]).toContain(file)
  })
})

describe('a password', () => {
  test('is on no documented command line, where process lists would show it', () => {
    const pages = [
      'README.md',
      ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
    ]
    const commands = pages.flatMap(
      (name) => read(name).match(/^.*\b(?:pg_dump|pg_restore|psql|redis-cli|valkey-cli)\b.*$/gm) ?? [],
    )
    expect(commands.length).toBeGreaterThan(5)
    for (const command of commands)
      expect(command).not.toMatch(/(?:pg_dump|pg_restore|psql|-cli)\b.*(?:DATABASE_URL|REDIS_URL|:\/\/|PASSWORD| -a )/)
  })
})

describe('base images', () => {
  const { services } = parse(read('compose.yaml'))
  const given = [services.postgres.image, services.valkey.image, services.credsync.build.args.NODE_IMAGE]

  test('are pinned by digest, the same in both files, and the page says how to update them', () => {
    const named = given.map((image) => /^\$\{(\w+):-(([\w/]+):[\w.-]+@sha256:[0-9a-f]{64})\}$/.exec(image))
    expect(named).not.toContain(null)
    expect(image.match(/^FROM .+$/gm)).toEqual([
      expect.stringMatching(/^FROM \$\{NODE_IMAGE\} AS build$/),
      expect.stringMatching(/^FROM \$\{NODE_IMAGE\}$/),
    ])
    expect(image.match(/^ARG NODE_IMAGE=(.+)$/m)?.[1]).toBe(named[2]?.[2])
    for (const [, variable, , name] of named as string[][]) {
      expect(page).toMatch(new RegExp(`docker buildx imagetools inspect ${name}:`))
      expect(page).toMatch(new RegExp(`${variable}=${name}:[\\w.-]+@sha256:`))
    }
  })
})

describe('what the worker needs around it', () => {
  const { services } = parse(read('compose.yaml'))

  test.each(['postgres', 'valkey'])('%s has no privileges in Compose, and an end of its memory', (name) => {
    expect(services[name]).toMatchObject({
      ...{ user: name, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
    })
  })

  test('pods are reached by the monitoring only, at the port of the health pages', () => {
    const { spec } = kind('NetworkPolicy')
    expect(spec).toMatchObject({ podSelector: pods.selector, policyTypes: ['Ingress'] })
    expect(spec.ingress).toEqual([{ from: [{ namespaceSelector: expect.anything() }], ports: [{ port: 'health' }] }])
  })

  test('files of the unit are readable for nobody else', () => {
    expect(settingsOf('UMask')).toEqual(['0077'])
  })
})

describe('a core dump', () => {
  test('is written by neither the unit nor Compose, and no debugger can be opened', () => {
    expect(settingsOf('LimitCORE')).toEqual(['0'])
    expect(compose.ulimits.core).toBe(0)
    expect(settingsOf('ExecStart')[0]).toContain(' --disable-sigusr1 ')
  })
})

describe('the image', () => {
  test('contains what it copies, and .dockerignore lets that through', () => {
    const copied = [...image.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((match) => (match[1] ?? '').split(' '))
    const passes = read('.dockerignore').split('\n')
    expect(copied.length).toBeGreaterThan(5)
    for (const path of copied) {
      expect(existsSync(join(root, path)), path).toBe(true)
      expect(passes, path).toContain(path.endsWith('.md') ? `!${path}` : `!${path.split('/')[0]}`)
    }
    expect(image).toContain('\nCOPY --from=build /build/dist ./dist\n')
  })

  test('is built from what the build reads, and without any package', () => {
    const stage = image.slice(image.indexOf('AS build'), image.lastIndexOf('FROM '))
    const copied = [...stage.matchAll(/^COPY (.+) \S+$/gm)].map((match) => match[1])
    expect(copied).toEqual(['package.json', 'build', 'config', 'jobs', 'sandboxes', 'src'])
    const folder = mkdtempSync(join(tmpdir(), 'image-'))
    try {
      for (const path of copied) cpSync(join(root, path as string), join(folder, path as string), { recursive: true })
      const [, script = ''] = /^RUN node (\S+)$/m.exec(stage) ?? []
      const { status, stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, ''])
      const command = JSON.parse(instruction('CMD'))[2]
      expect(existsSync(join(folder, command))).toBe(true)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('runs the Node that was tested, and has no npm', () => {
    const [build = '', last = ''] = image.split(/^FROM /m).slice(1)
    expect(build).toContain("require('./package.json').devDependencies.node")
    expect(last).toMatch(/npm ci[\s\S]+rm -rf \/usr\/local\/lib\/node_modules .*\/usr\/local\/bin\/npm /)
    expect(last.indexOf('COPY --from=build /tested/node /usr/local/bin/node')).toBeGreaterThan(last.indexOf('npm ci'))
  })

  test('says in its labels what it is, and which version and base', () => {
    const labels = [...image.matchAll(/org\.opencontainers\.image\.([\w.]+)="(.+?)"/g)].map(([, ...pair]) => pair)
    const { version } = JSON.parse(read('package.json'))
    expect(Object.fromEntries(labels)).toEqual({
      ...{ title: 'credsync', description: expect.any(String), version },
      ...{ revision: '$REVISION', 'base.name': '$NODE_IMAGE' },
    })
  })

  test('does not run as root and writes only to its volume', () => {
    const [user] = instruction('USER').split(':')
    expect(Number(user)).toBeGreaterThan(0)
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(user), fsGroup: Number(user) })
    const volume = instruction('VOLUME')
    expect(instruction('ENV')).toBe(`CREDSYNC_DATA_DIR=${volume}`)
    expect(compose.volumes).toEqual([`data:${volume}`])
    expect(container.volumeMounts.find((volumeMount: { name: string }) => volumeMount.name === 'data').mountPath).toBe(
      volume,
    )
    expect([compose.read_only, container.securityContext.readOnlyRootFilesystem]).toEqual([true, true])
  })

  test('starts the worker with the same entry file as the systemd unit, and reads the configuration from where it is mounted', () => {
    const [, ...command] = JSON.parse(instruction('CMD'))
    const inUnit = (settingsOf('ExecStart')[0] ?? '').split(' ')
    expect(inUnit.slice(1, 4)).toEqual(command)
    expect(compose.configs[0].target).toBe(`${instruction('WORKDIR')}/config/credsync.yaml`)
    const { mountPath, subPath } = container.volumeMounts.find(
      (volumeMount: { name: string }) => volumeMount.name === 'config',
    )
    expect(mountPath).toBe(compose.configs[0].target)
    expect(Object.keys(kind('ConfigMap').data)).toEqual([subPath])
  })
})

describe('several pods', () => {
  test('share one allowance, so more than one requires Redis', () => {
    expect(pods.replicas).toBeGreaterThan(1)
    expect(container.env.map((each: { name: string }) => each.name)).toContain('REDIS_URL_FILE')
    expect(kind('PersistentVolumeClaim').spec.accessModes).toEqual(['ReadWriteMany'])
  })

  test('have the same labels in the Deployment and the budget, and are replaced one at a time', () => {
    const { labels } = pods.template.metadata
    expect(pods.selector.matchLabels).toEqual(labels)
    expect(kind('PodDisruptionBudget').spec).toEqual({ maxUnavailable: 1, selector: { matchLabels: labels } })
    expect(pods.strategy.rollingUpdate).toEqual({ maxSurge: 0, maxUnavailable: 1 })
  })
})

// The version of systemd, or 0 without systemd. %d in the unit needs 250.
const systemd = Number(
  /\d+/.exec(spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[0] ?? 0,
)

describe('a supervisor', () => {
  test('gets the real exit codes and restarts the worker after each of them', () => {
    const table = page.slice(page.indexOf('## Exit codes'))
    const documented = [...table.matchAll(/^\| (\d+) \|/gm)].map((match) => Number(match[1]))
    expect(documented).toEqual([exitCode.ok, exitCode.fault, exitCode.usage, exitCode.interrupted])
    expect(settingsOf('Restart')).toEqual(['always'])
    expect(unit).not.toMatch(/^(RestartPrevent|Success)ExitStatus=/m)
  })

  test.skipIf(systemd < 250)('finds no error in the unit', () => {
    const folder = mkdtempSync(join(tmpdir(), 'unit-'))
    try {
      const path = join(folder, 'credsync.service')
      // The unit's program is not installed here, so Node stands in for it.
      writeFileSync(path, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`))
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' })
      expect(stderr.split('\n').filter((line) => line.includes('credsync'))).toEqual([])
      expect(status).toBe(0)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the sizing', () => {
  test('counts the connections that the code may open', () => {
    const shortLived = 1
    const alone = poolSize + poolSizes.adding + poolSizes.running + shortLived
    const beside = poolSize + poolSizes.adding + shortLived
    const each = poolSize + shortLived
    expect(workerConnections).toEqual({ withoutRedis: alone - shortLived, onRedis: each - shortLived })
    expect(flat(page)).toContain(`need ${alone} + ${beside} C (step 2, N is 1) or ${each} (N + C) (step 3)`)
    expect(page).toContain(`| ${alone}, and ${beside} for a command beside it: **${alone + beside + 12}** |`)
    for (const workers of [2, 4])
      expect(page).toContain(
        `${workers * each}, and ${each} for a command: **${(workers + 1) * each + 12}** | ${(workers + 1) * (3 + queueNames.length)} |`,
      )
  })
})
