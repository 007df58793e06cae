// The learning systems of the configuration, opened: clients of those that are asked and told, doors for those that send.

import type { FileSettings } from '#config/schema.ts'
import type {
  CanvasSettings,
  LtiSettings,
  MoodleSettings,
  WebhookSettings,
  XapiSettings,
} from '#config/system-settings.ts'
import { type Canvas, openCanvas } from '#src/canvas/open-canvas.ts'
import { type Ags, type AgsOptions, openAgs } from '#src/lti/ags.ts'
import { LtiKeyError } from '#src/lti/signing-key.ts'
import { type Moodle, openMoodle } from '#src/moodle/open-moodle.ts'
import { Secret } from '#src/secret/secret.ts'
import type { Clock } from '#src/time/clock.ts'
import { parseDuration } from '#src/time/duration.ts'
import type { AskedSystem } from './asked-system.ts'
import { titlesOf } from './cells.ts'
import { type AskedCanvas, askableCanvas } from './hear-canvas.ts'
import { askableMoodle } from './hear-moodle.ts'
import { type Target, targetsOf } from './targets.ts'
import type { Said } from './words-for-target.ts'

export interface AskedMoodle {
  name: string
  settings: MoodleSettings
  moodle: Moodle
}

export interface Door {
  name: string
  settings: WebhookSettings | XapiSettings
}

/** A pipeline that issues the completions of one course of one system. */
export interface CompletionPipeline {
  pipeline: string
  system: string
  course: string
  renewAfterMs: number | null
}

/** A platform that nothing can be told, because of its settings. */
export interface UnusableSystem {
  system: string
  /** A sentence without secrets. */
  problem: string
}

export interface Learning {
  moodles: readonly AskedMoodle[]
  /** All that can be asked who completed what. */
  asked: readonly AskedSystem[]
  doors: readonly Door[]
  /** They are told nothing; everything else goes on. */
  unusable: readonly UnusableSystem[]
  /** For how many days the deliveries of each door are kept in full. */
  kept: readonly { system: string; days: number }[]
  /** @throws TypeError for a system that the configuration does not have, as do the next two */
  moodle(name: string): AskedMoodle
  canvas(name: string): Canvas
  askedSystem(name: string): AskedSystem
  door(name: string): Door | null
  platform(name: string): Ags
  /** Columns that rows of the system may have; none of one that the configuration no longer has. */
  titlesOf(system: string): string[]
  pipelinesOf(system: string): readonly CompletionPipeline[]
  /** Of all pipelines. */
  targets: readonly Target[]
  targetsOf(pipeline: string): readonly Target[]
  /** What the pipeline writes into profiles of a Moodle, by the short names of the fields. */
  profileFieldsOf(pipeline: string, system: string): Readonly<Record<string, Said>>
}

type Wire = Parameters<typeof openMoodle>[0]['send'] &
  Parameters<typeof openAgs>[0]['send'] &
  Parameters<typeof openCanvas>[0]['send']

export interface LearningParts {
  send: Wire
  clock: Clock
  random: () => number
  /** A limiter for the calls to one system: at most so many a second, and so many at once. */
  gateFor: (name: string, limits: { perSecond: number; atOnce: number }) => <T>(work: () => Promise<T>) => Promise<T>
}

export function openLearning({ systems, pipelines }: FileSettings, parts: LearningParts): Learning {
  const all = Object.entries(systems)
  const moodles = all.flatMap(([name, settings]) =>
    settings.type === 'moodle' ? [{ name, settings, moodle: clientOf(name, settings, parts) }] : [],
  )
  const canvases = all.flatMap(([name, settings]): AskedCanvas[] =>
    settings.type === 'canvas' ? [{ name, settings, canvas: canvasOf(name, settings, parts) }] : [],
  )
  const asked = [...moodles.map(askableMoodle), ...canvases.map(askableCanvas)]
  const doors = all.flatMap(([name, settings]) =>
    settings.type === 'webhook' || settings.type === 'xapi' ? [{ name, settings }] : [],
  )
  const platforms = new Map(
    all.flatMap(([name, settings]) => (settings.type === 'lti' ? [[name, platformOf(settings, parts)] as const] : [])),
  )
  const unusable = [...platforms].flatMap(([system, { problem }]) => (problem === null ? [] : [{ system, problem }]))
  const sources = sourcesOf({ pipelines })
  const targets = new Map(Object.entries(pipelines).map(([name, { writeBack }]) => [name, targetsOf(name, writeBack)]))
  return {
    moodles,
    asked,
    doors,
    unusable,
    kept: doors.map(({ name, settings }) => ({ system: name, days: settings.retentionDays })),
    moodle: (name) => named(moodles, name),
    canvas: (name) => named(canvases, name).canvas,
    askedSystem: (name) => named(asked, name),
    door: (name) => doors.find((each) => each.name === name) ?? null,
    titlesOf: (name) => all.flatMap(([each, settings]) => (each === name ? titlesOf(settings) : [])),
    platform: (name) => known(platforms.get(name), name).ags,
    pipelinesOf: (system) => sources.filter((each) => each.system === system),
    targets: [...targets.values()].flat(),
    targetsOf: (pipeline) => targets.get(pipeline) ?? [],
    profileFieldsOf: (pipeline, system) =>
      Object.assign(
        {},
        ...(targets.get(pipeline) ?? []).map(({ settings }) =>
          settings.to === 'moodle-profile' && settings.system === system ? settings.fields : {},
        ),
      ),
  }
}

/** The pipelines that issue completions. Pure. */
export function sourcesOf({ pipelines }: Pick<FileSettings, 'pipelines'>): CompletionPipeline[] {
  return Object.entries(pipelines).flatMap(([pipeline, { source }]) =>
    source && 'system' in source
      ? [
          {
            pipeline,
            system: source.system,
            course: source.course,
            renewAfterMs: source.renewAfter === undefined ? null : parseDuration(source.renewAfter),
          },
        ]
      : [],
  )
}

function clientOf(name: string, { url, token, perSecond, atOnce }: MoodleSettings, parts: LearningParts): Moodle {
  const { send, clock, gateFor } = parts
  return openMoodle({ url, token: new Secret(token), send, clock, gate: gateFor(name, { perSecond, atOnce }) })
}

/** One call at a time: by Canvas's page on throttling a client that makes no more is hardly ever refused. */
function canvasOf(name: string, { url, token, perSecond }: CanvasSettings, parts: LearningParts): Canvas {
  const { send, clock, gateFor } = parts
  return openCanvas({ url, token: new Secret(token), send, clock, gate: gateFor(name, { perSecond, atOnce: 1 }) })
}

/** One bad key keeps neither the others nor anything else from starting: what is to be told with it waits. */
function platformOf(
  settings: LtiSettings,
  { send, clock, random }: LearningParts,
): { ags: Ags; problem: string | null } {
  try {
    return { ags: openAgs(agsOptionsOf(settings, { send, clock, random })), problem: null }
  } catch (error) {
    if (!(error instanceof LtiKeyError || error instanceof RangeError)) throw error
    const { message: problem } = error
    const refused = async () => ({ kind: 'refused' as const, why: problem })
    return { ags: { lineItems: refused, score: refused, signIn: refused, results: refused }, problem }
  }
}

/** What a client of the platform is opened with. Pure. */
export function agsOptionsOf(settings: LtiSettings, wire: Pick<AgsOptions, 'send' | 'clock' | 'random'>): AgsOptions {
  const { clientId, tokenUrl, privateKey, keyId, audience, issuer } = settings
  const named = { ...(keyId && { keyId }), ...(audience && { audience }), ...(issuer && { issuer }) }
  return { clientId, tokenUrl, privateKeyPem: new Secret(privateKey), ...named, ...wire }
}

function named<Each extends { name: string }>(all: readonly Each[], name: string): Each {
  return known(
    all.find((each) => each.name === name),
    name,
  )
}

function known<Found>(found: Found | undefined, name: string): Found {
  if (!found) throw new TypeError(`The configuration has no system ${name} of this type.`)
  return found
}
