// The learning systems of the configuration: those that can be asked are asked, platforms give a token, doors are shown, and targets of webhooks are
// looked at and sent nothing.

import { agsOptionsOf, type Door, sourcesOf } from '#src/learning/open-learning.ts'
import { sharedFields } from '#src/learning/shared-fields.ts'
import { targetsOf } from '#src/learning/targets.ts'
import { openAgs } from '#src/lti/ags.ts'
import { openWire, type Wire } from '#src/wire/open-wire.ts'
import { bad, badSentence, type Check, good, guarded } from './check.ts'
import { checkCanvas } from './check-canvas.ts'
import { checkMoodle } from './check-moodle.ts'
import type { KnownSystems } from './check-profile-fields.ts'
import type { Parts } from './open-parts.ts'
import { isThisMachine } from './this-machine.ts'

type SystemParts = KnownSystems & Pick<Parts, 'clock'> & { around: Pick<Parts['around'], 'random'> }

export async function checkSystems(parts: SystemParts): Promise<Check[]> {
  const { file } = parts.settings
  const wire = openWire(parts.clock)
  try {
    const checks: Check[] = []
    for (const [name, settings] of Object.entries(file.systems)) {
      const more = { system: name }
      const pipelines = sourcesOf(file).filter(({ system }) => system === name)
      if (settings.type === 'moodle')
        checks.push(...(await guarded('system', () => checkMoodle(parts, wire, { name, settings, pipelines }), more)))
      else if (settings.type === 'canvas')
        checks.push(...(await guarded('system', () => checkCanvas(parts, wire, { name, settings, pipelines }), more)))
      else if (settings.type === 'lti')
        checks.push(...(await guarded('system', () => checkPlatform(parts, wire, name), more)))
      else checks.push(showDoor(parts, { name, settings }))
    }
    return [...checks, ...checkSharedFields(parts), ...(await checkWebhookTargets(parts))]
  } finally {
    await wire.close()
  }
}

/** @throws LtiKeyError, and RangeError for a token URL that is not safe */
async function checkPlatform({ settings, clock, around }: SystemParts, wire: Wire, name: string): Promise<Check[]> {
  const system = settings.file.systems[name]
  if (system?.type !== 'lti') return []
  const { tokenUrl } = system
  const more = { system: name }
  const { protocol, hostname, host } = new URL(tokenUrl)
  if (protocol !== 'https:' && !isThisMachine(hostname))
    return [
      bad(
        'system',
        `the token URL begins with http://, where the key's word could be read on the way`,
        'Set the address with https://',
        more,
      ),
    ]
  const ags = openAgs(agsOptionsOf(system, { send: wire.send, clock, random: around.random }))
  const signed = await ags.signIn()
  return [
    signed.kind === 'signed in'
      ? good('system', `${host} gives this tool a token to write scores and to read results`, more)
      : badSentence(
          'system',
          signed.why,
          more,
          'Check that the platform runs and can be reached from here, and run this again',
        ),
  ]
}

function showDoor({ settings }: SystemParts, { name, settings: door }: Door): Check {
  const { host, port, trustedProxies } = settings.file.web
  const path = door.type === 'xapi' ? `/xapi/${name}` : `/events/${name}`
  const here = isThisMachine(host)
    ? 'reached from this machine alone, so a proxy in front of it gives the sender an https:// address'
    : 'plain HTTP, so let a proxy in front of it speak https://'
  const at =
    port === 0
      ? `${path} at a port that each start chooses anew; set web.port`
      : `http://${addressOf(host)}:${port}${path}`
  const accounts =
    'a learner is known by the address of their system and the name of the account; with `homePage` set, by the name alone'
  const isOpen = door.type === 'xapi' && door.homePage === undefined && door.confirm === undefined
  const blind =
    "behind a proxy `allow` would see the proxy's address instead of the sender's: name the proxy in web.trustedProxies"
  const isBlind = door.type === 'webhook' && door.auth.type === 'none' && trustedProxies.length === 0
  return good('door', `what it sends is taken at ${at}`, {
    system: name,
    notices: [here, ...(isOpen ? [accounts] : []), ...(isBlind ? [blind] : [])],
  })
}

/** No fault: two courses of one programme may mean it so, and then the later credential is the right one. */
function checkSharedFields({ settings }: SystemParts): Check[] {
  const targets = Object.entries(settings.file.pipelines).flatMap(([name, { writeBack }]) => targetsOf(name, writeBack))
  return sharedFields(targets).map(({ system, field, pipelines }) =>
    good('profile fields', `${field} is written by ${pipelines.join(' and ')}`, {
      system,
      notices: [
        'whoever has a credential of each sees only the one that was told last; give each pipeline profile fields of its own, unless that is meant',
      ],
    }),
  )
}

async function checkWebhookTargets({ settings }: SystemParts): Promise<Check[]> {
  const checks: Check[] = []
  for (const [pipeline, { writeBack }] of Object.entries(settings.file.pipelines))
    for (const [index, target] of writeBack.entries()) {
      if (target.to !== 'webhook') continue
      const more = { pipeline }
      const where = `pipelines.${pipeline}.writeBack.${index}`
      const { protocol, hostname, host } = new URL(target.url)
      if (protocol !== 'https:' && !isThisMachine(hostname))
        checks.push(
          bad(
            'webhook',
            `outcomes would travel to ${host} unencrypted (${where}.url)`,
            'Set an address with https://',
            more,
          ),
        )
      else checks.push(good('webhook', `signed events go to ${host}; nothing was sent there now`, more))
    }
  return checks
}

const addressOf = (host: string) => (host.includes(':') ? `[${host}]` : host)
