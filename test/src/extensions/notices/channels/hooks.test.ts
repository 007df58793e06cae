// Slack, Teams and signed webhooks, posted to a real HTTP server: their forms, limits, and what problems say.

import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hookOf, slackMessage, teamsMessage } from '#src/extensions/notices/channels/hooks.ts'
import type { MessageWords, Section } from '#src/extensions/notices/compose-message.ts'
import type { RecipientSettings } from '#src/extensions/notices/settings/notify-settings.ts'
import { openLmsHttp } from '#src/platform/http/http-client.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { openScriptedServer, type ScriptedServer } from '#test/support/scripted-server.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const signal = new AbortController().signal
const wire = openLmsHttp(systemClock)
let server: ScriptedServer

beforeAll(async () => {
  server = await openScriptedServer()
  server.on('/services', (_, response) => response.writeHead(200).end('ok'))
  server.on('/workflows', (_, response) => response.writeHead(202).end())
  server.on('/own', (_, response) => response.writeHead(204).end())
  server.on('/gone', (_, response) => response.writeHead(404).end('no_service'))
  server.on('/moved', (_, response) => response.writeHead(307, { location: `${server.url}/own` }).end())
})
afterAll(async () => {
  await server.close()
  await wire.close()
})

const section = (change: Partial<Section> = {}): Section => ({
  ...{ key: 'person held spring', kind: 'person', pipeline: 'spring', change: 'opened' },
  since: '2026-11-24T05:00:00.000Z',
  title: 'spring: 3 rows wait for a decision',
  lines: ['`credsync held` lists them.'],
  ...change,
})
const words = (sections = [section()], link: string | null = null): MessageWords => ({
  ...{ subject: 'credsync: spring: 3 rows wait for a decision', sections, more: 0, environment: 'production', link },
})

const send = async (recipient: Partial<RecipientSettings>, message = words()) => {
  const channel = hookOf({ send: wire.send, clock: systemClock }, { on: ['all'], ...recipient })
  const id = '0e6c0b1e-0000-4000-8000-000000000001'
  return channel?.send({ id, createdAt: new Date('2026-11-24T05:00:10Z'), words: message }, signal)
}

describe('Slack', () => {
  test('gets a text for notifications and a block for each notice', async () => {
    expect(await send({ slack: `${server.url}/services/T/B/x` })).toEqual({ kind: 'delivered', problem: null })
    const body = JSON.parse(server.requests('/services').at(-1)?.body ?? '')
    expect(body).toEqual({
      text: 'credsync: spring: 3 rows wait for a decision',
      blocks: [
        {
          type: 'section',
          text: { type: 'mrkdwn', text: ':bell: *spring: 3 rows wait for a decision*\n`credsync held` lists them.' },
        },
      ],
    })
  })

  test('calls nobody, whatever a file is called, and gets no more than it accepts', () => {
    expect(slackMessage(words([section({ title: '<!channel> & <@U1>' })]))).toContain(
      '&lt;!channel&gt; &amp; &lt;@U1&gt;',
    )
    const many = JSON.parse(
      slackMessage(
        words(Array.from({ length: 200 }, () => section({ lines: Array.from({ length: 5 }, () => 'x'.repeat(480)) }))),
      ),
    )
    expect(many.blocks.length).toBeLessThanOrEqual(50)
    for (const { text } of many.blocks) expect(text.text.length).toBeLessThanOrEqual(3_000)
    expect(JSON.stringify(many.blocks).length).toBeLessThanOrEqual(11_000)
    expect(many.blocks.at(-1).text.text).toMatch(/^and 19\d more/)
  })

  test('gets the first lines of a notice that is too long alone, and all others whole', () => {
    const long = section({ lines: Array.from({ length: 20 }, (_, line) => `${line} ${'x'.repeat(490)}`) })
    const { blocks } = JSON.parse(slackMessage(words([long, section()])))
    expect(blocks.map(({ text }: { text: { text: string } }) => text.text.split('\n').length)).toEqual([7, 2])
    expect(blocks[0].text.text).toMatch(/\n4 x+\n…$/)
  })

  test.each([['&'], ['<'], ['😀']])('gets only whole characters where a text of %s is cut', (character) => {
    for (let before = 0; before < 6; before++) {
      const long = 'x'.repeat(before) + character.repeat(5_000)
      const { blocks } = JSON.parse(slackMessage(words([section({ title: long, lines: [long] })])))
      const [{ text }] = blocks
      expect(text.text.isWellFormed()).toBe(true)
      expect(text.text.replaceAll(/&(amp|lt|gt);/g, '')).not.toContain('&')
      expect(text.text.length).toBeLessThanOrEqual(3_000)
    }
  })
})

describe('Teams', () => {
  test('gets an Adaptive Card', async () => {
    expect(
      await send({ teams: `${server.url}/workflows/x` }, words([section()], 'https://status.example.org')),
    ).toEqual({
      ...{ kind: 'delivered', problem: null },
    })
    const { type, attachments } = JSON.parse(server.requests('/workflows').at(-1)?.body ?? '')
    expect(type).toBe('message')
    expect(attachments).toMatchObject([
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          actions: [{ type: 'Action.OpenUrl', url: 'https://status.example.org' }],
        },
      },
    ])
    expect(attachments[0].content.body.map(({ text }: { text: string }) => text)).toContain(
      'spring: 3 rows wait for a decision',
    )
  })

  test('gets no link from a file name, and no more than it accepts', () => {
    expect(teamsMessage(words([section({ title: '[here](https://evil.example)' })]))).not.toContain('"[here](')
    const many = teamsMessage(words(Array.from({ length: 200 }, () => section({ lines: ['ü'.repeat(500)] }))))
    expect(Buffer.byteLength(many)).toBeLessThanOrEqual(28_000)
    expect(many).toMatch(/and \d+ more/)
    const lines = Array.from({ length: 200 }, () => 'ü'.repeat(500))
    const one = teamsMessage(words([section({ title: 'the only one', lines })]))
    expect(Buffer.byteLength(one)).toBeLessThanOrEqual(28_000)
    expect(one).toContain('the only one')
    expect(one).toContain('üüü')
    expect(one).not.toContain('more:')
  })
})

describe('a signed webhook', () => {
  test('can be verified, and has an id that is the same for each try', async () => {
    const recipient = { webhook: `${server.url}/own`, secret }
    await send(recipient)
    expect(await send(recipient)).toEqual({ kind: 'delivered', problem: null })
    const [first, again] = server.requests('/own').slice(-2)
    expect(new Webhook(secret).verify(again?.body ?? '', again?.headers as Record<string, string>)).toMatchObject({
      type: 'notice',
      timestamp: '2026-11-24T05:00:10.000Z',
      data: { environment: 'production', notices: [section()], more: 0, link: null },
    })
    expect(first?.headers['webhook-id']).toBe('credsync_0e6c0b1e-0000-4000-8000-000000000001')
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  })
})

describe('a hook that accepts a message', () => {
  test.each([
    ['with a long body', '/long'],
    ['with a body that never ends', '/endless'],
  ])('%s has accepted it', async (_, path) => {
    server.on('/long', (_seen, response) => response.writeHead(200).end('x'.repeat(200_000)))
    server.on('/endless', (_seen, response) => void response.writeHead(200).write('o'))
    expect(await send({ slack: `${server.url}${path}` })).toEqual({ kind: 'delivered', problem: null })
  })
})

describe('a hook that does not accept a message', () => {
  test.each([
    ['was removed', '/gone/secret-part', /\(HTTP 404\): the hook was removed/],
    ['redirects, perhaps to somebody else', '/moved/secret-part', /\(HTTP 307\)/],
  ])('because it %s is a problem that does not show its address', async (_, path, problem) => {
    const before = server.requests('/own').length
    const result = await send({ slack: `${server.url}${path}` })
    expect(result).toMatchObject({ kind: 'failed', problem: expect.stringMatching(problem) })
    expect(JSON.stringify(result)).not.toContain('secret-part')
    expect(server.requests('/own')).toHaveLength(before)
  })

  test.each([
    [400, 'refused'],
    [413, 'refused'],
    [429, 'failed'],
    [500, 'failed'],
  ])('because of %i has %s it', async (status, kind) => {
    server.on('/status', (_, response) => response.writeHead(status).end('invalid_blocks'))
    expect(await send({ slack: `${server.url}/status` })).toMatchObject({ kind })
  })

  test('because nothing listens there is a problem', async () => {
    expect(await send({ slack: 'http://127.0.0.1:9/services/T/B/x' })).toEqual({
      ...{ kind: 'failed', problem: '127.0.0.1:9 did not answer (ECONNREFUSED): check the address and the network' },
    })
  })
})
