// Whole numbers in answers of learning systems keep their digits, however large they are.

import { expect, onTestFinished, test } from 'vitest'
import { parseExactJson } from '#src/platform/http/parse-exact-json.ts'
import { clientOf } from '#test/src/extensions/lms/canvas/open-site-and-client.ts'
import { openScriptedServer, raw } from '#test/support/scripted-server.ts'

test.each([
  ['9007199254740991', 9_007_199_254_740_991],
  ['9007199254740993', '9007199254740993'],
  ['-21070000000000123', '-21070000000000123'],
  ['1e300', 1e300],
  ['0.1', 0.1],
  ['"21070000000000123"', '21070000000000123'],
])('%s is read as %s', (text, value) => {
  expect(parseExactJson(`{"list":[${text}]}`)).toEqual({ list: [value] })
})

test('a learner of another institution, whose id has 17 digits, is found among those with short ids', async () => {
  const server = await openScriptedServer()
  onTestFinished(() => server.close())
  server.on('bulk_user_progress', raw(200, '[{"id":21070000000000123,"progress":{}},{"id":7,"progress":{}}]'))
  expect(await clientOf({ url: server.url, token: 't' }).students('7')).toEqual(['21070000000000123', '7'])
})
