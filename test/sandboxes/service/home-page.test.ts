// Tests the page at the root: what it shows, and what it must never show.

import { expect, test } from 'vitest'
import { createdCourse, smallForm } from './course/course-form.ts'
import { person, visitSandbox } from './visitor.ts'

const uncounted = { limits: { general: 1_000, auth: 1_000 } }

test('the page lists courses with their states, credentials by state, and every endpoint, without login', async () => {
  const { sandbox, invite, clock, post } = await visitSandbox(uncounted)
  await invite([person('a@example.org'), person('b@example.org'), person('reject.c@example.org')])
  await clock.advance(10_000)
  await post('/api/institute/v1/certificate/revoke', { credential_id: sandbox.requests()[0]?.credentialId })
  const answer = await fetch(sandbox.url)
  const page = await answer.text()
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  for (const { name, number, uuid } of sandbox.courses)
    for (const text of [name, number, uuid]) expect(page).toContain(text)
  expect(page).toContain('<td>approval pending</td>')
  expect(page).toContain('<tr><td>Request Completed</td><td>1</td></tr>')
  expect(page).toContain('<tr><td>Request Completed, revoked</td><td>1</td></tr>')
  expect(page).toContain('<tr><td>Request rejected</td><td>1</td></tr>')
  expect(page).toContain('/api/institute/v1/course/status/{course_uuid}/{course_status}')
  expect(page).not.toMatch(/example\.org|Lovelace/)
  expect(sandbox.journal().calls).not.toHaveProperty('GET /')
})

test('a course cannot inject HTML into the page', async () => {
  const visitor = await visitSandbox(uncounted)
  const name = `<script>alert("1")</script> & 'more'`
  await createdCourse(visitor, { ...(await smallForm(visitor)), name })
  const page = await (await fetch(visitor.sandbox.url)).text()
  expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;')
  expect(page).not.toMatch(/<script/i)
})
