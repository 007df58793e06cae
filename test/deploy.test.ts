// What the manifests say (ports, paths, users, grace periods, exit codes) is what the code does.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { environmentRows } from '#config/environment.ts'
import { parseFileSettings } from '#config/settings.ts'
import { workerConnections } from '#src/check/check-database.ts'
import { exitCode } from '#src/cli/exit-code.ts'
import { poolSize } from '#src/database/database.ts'
import { stopMs as databaseStopMs } from '#src/database/embedded-server.ts'
import { closeMs, poolSizes } from '#src/queue/postgres-store.ts'
import { queueNames } from '#src/queue/queues.ts'
import { farewellMs, lastWordMs } from '#src/queue/stop-workers.ts'
import { answerMs } from '#src/queue/stored-queues.ts'
import { parseDuration } from '#src/time/duration.ts'
import { tuningOf } from '#src/tuning.ts'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const image = read('Dockerfile')
const unit = read('deploy/credsync.service')
const page = read('docs/deployment.md')
/** Without line breaks, for sentences. */
const flat = (text: string) => text.replace(/\s+/g, ' ')
const compose = parse(read('compose.yaml')).services.credsync
// Kubernetes reads YAML 1.1, where 0440 is octal.
const manifest = parseAllDocuments(read('deploy/kubernetes.yaml'), { version: '1.1' }).map((each) => each.toJS())
const kind = (name: string) => manifest.find((each) => each.kind === name)
const pods = kind('Deployment').spec
const pod = pods.template.spec
const container = pod.containers[0]

const example = parse(read('config/credsync.example.yaml'))
const defaults = parseFileSettings({ service: example.service, pipelines: example.pipelines })
/** Of the unit, in the order in which they stand. */
const settingsOf = (name: string) =>
  [...unit.matchAll(new RegExp(`^(?:# )?${name}=(.+)$`, 'gm'))].map((m) => m[1] ?? '')
const instruction = (name: string) => new RegExp(`^${name} (.+)$`, 'm').exec(image)?.[1] ?? ''

/** After the deadline of a call and the moment to write it down: what src/queue says of its `stop`. */
const queuesMs = lastWordMs + farewellMs + answerMs + closeMs
const stopMs = tuningOf({ file: defaults }).stopMs + queuesMs
const roomMs = 15_000

describe('the time that a stop gets', () => {
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
    expect(grace).toBeGreaterThanOrEqual(needed + roomMs)
  })

  test('is reckoned in the documents as it is', () => {
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

  test('are asked where they are served', () => {
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

  test('are given as files of variables that there are', () => {
    const inUnit = settingsOf('Environment').filter((each) => each.includes('_FILE='))
    const inPods: { name: string; value: string }[] = container.env.filter((each: { name: string }) =>
      /_FILE$/.test(each.name),
    )
    const inCompose = Object.keys(compose.environment).filter((name) => name.endsWith('_FILE'))
    expect(names.length).toBe(5)
    expect(inUnit.length).toBe(4)
    expect(inPods.length).toBe(4)
    expect(inCompose.length).toBe(3)
    for (const name of [...inUnit.map((each) => each.split('=')[0]), ...inPods.map((each) => each.name), ...inCompose])
      expect(names).toContain(name)
  })

  test('lie where the variables say', () => {
    const credentials = settingsOf('LoadCredential').map((each) => each.split(':')[0])
    const named = settingsOf('Environment').flatMap((each) => /=%d\/(.+)$/.exec(each)?.[1] ?? [])
    expect(named).toEqual(credentials)
    const { mountPath } = container.volumeMounts.find((each: { name: string }) => each.name === 'secrets')
    const command = /kubectl create secret generic (\S+)((?: --from-file=\S+)+)/.exec(page)
    const keys = [...(command?.[2] ?? '').matchAll(/--from-file=(\S+)/g)].map((match) => match[1])
    const files = container.env.filter((each: { name: string }) => each.name.endsWith('_FILE'))
    expect(files.map((each: { value: string }) => each.value)).toEqual(keys.map((key) => `${mountPath}/${key}`))
    expect(command?.[1]).toBe(pod.volumes.find((each: { name: string }) => each.name === 'secrets').secret.secretName)
    for (const [name, path] of Object.entries(compose.environment))
      if (name.endsWith('_FILE')) expect(compose.secrets.map((each: string) => `/run/secrets/${each}`)).toContain(path)
  })
})

describe('the image', () => {
  test('has what it copies, and lets it through', () => {
    const copied = [...image.matchAll(/^COPY (.+) \S+$/gm)].flatMap((match) => (match[1] ?? '').split(' '))
    const passes = read('.dockerignore').split('\n')
    expect(copied.length).toBeGreaterThan(5)
    for (const path of copied) {
      expect(existsSync(join(root, path)), path).toBe(true)
      expect(passes, path).toContain(`!${path}`)
    }
  })

  test('does not run as root, and writes its volume only', () => {
    const [user] = instruction('USER').split(':')
    expect(Number(user)).toBeGreaterThan(0)
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(user), fsGroup: Number(user) })
    const volume = instruction('VOLUME')
    expect(instruction('ENV')).toBe(`CREDSYNC_DATA_DIR=${volume}`)
    expect(compose.volumes).toEqual([`data:${volume}`])
    expect(container.volumeMounts.find((each: { name: string }) => each.name === 'data').mountPath).toBe(volume)
    expect([compose.read_only, container.securityContext.readOnlyRootFilesystem]).toEqual([true, true])
  })

  test('starts the worker by the same door as the unit, and finds its configuration where it is mounted', () => {
    const [, ...command] = JSON.parse(instruction('CMD'))
    const inUnit = (settingsOf('ExecStart')[0] ?? '').split(' ')
    expect(inUnit.slice(1, 3)).toEqual(command)
    expect(existsSync(join(root, command[0]))).toBe(true)
    expect(compose.configs[0].target).toBe(`${instruction('WORKDIR')}/config/credsync.yaml`)
    const { mountPath, subPath } = container.volumeMounts.find((each: { name: string }) => each.name === 'config')
    expect(mountPath).toBe(compose.configs[0].target)
    expect(Object.keys(kind('ConfigMap').data)).toEqual([subPath])
  })
})

describe('several pods', () => {
  test('share one allowance: there are several only with Redis', () => {
    expect(pods.replicas).toBeGreaterThan(1)
    expect(container.env.map((each: { name: string }) => each.name)).toContain('REDIS_URL_FILE')
    expect(kind('PersistentVolumeClaim').spec.accessModes).toEqual(['ReadWriteMany'])
  })

  test('are one and the same for the Deployment and the budget, and go one at a time', () => {
    const { labels } = pods.template.metadata
    expect(pods.selector.matchLabels).toEqual(labels)
    expect(kind('PodDisruptionBudget').spec).toEqual({ maxUnavailable: 1, selector: { matchLabels: labels } })
    expect(pods.strategy.rollingUpdate).toEqual({ maxSurge: 0, maxUnavailable: 1 })
  })
})

// %d is known since 250. 0 where there is no systemd.
const systemd = Number(
  /\d+/.exec(spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[0] ?? 0,
)

describe('a supervisor', () => {
  test('is told the exit codes that there are, and excepts none from starting again', () => {
    const table = page.slice(page.indexOf('## Exit codes'))
    const told = [...table.matchAll(/^\| (\d+) \|/gm)].map((match) => Number(match[1]))
    expect(told).toEqual([exitCode.ok, exitCode.fault, exitCode.usage, exitCode.interrupted])
    expect(settingsOf('Restart')).toEqual(['always'])
    expect(unit).not.toMatch(/^(RestartPrevent|Success)ExitStatus=/m)
  })

  test.skipIf(systemd < 250)('finds nothing wrong with the unit', () => {
    const folder = mkdtempSync(join(tmpdir(), 'unit-'))
    try {
      const path = join(folder, 'credsync.service')
      // It must find the program, which is not installed here.
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
    const moment = 1
    const alone = poolSize + queueNames.length * (poolSizes.asking + poolSizes.working) + moment
    const beside = poolSize + queueNames.length * poolSizes.asking + moment
    const each = poolSize + moment
    expect(workerConnections).toEqual({ alone: alone - moment, onRedis: each - moment })
    expect(flat(page)).toContain(`need ${alone} + ${beside} C (step 2, N is 1) or ${each} (N + C) (step 3)`)
    expect(page).toContain(`| ${alone}, and ${beside} for a command beside it: **${alone + beside + 12}** |`)
    for (const workers of [2, 4])
      expect(page).toContain(
        `${workers * each}, and ${each} for a command: **${(workers + 1) * each + 12}** | ${(workers + 1) * (3 + queueNames.length)} |`,
      )
  })
})
