// Issues credentials directly in a sandbox, as if from elsewhere, before credsync is used.

import { expect } from 'vitest'
import { openSandboxIssuer } from '#test/support/sandbox-issuer.ts'
import { until } from '#test/support/until.ts'
import type { Workspace } from './cli-workspace.ts'

export type Student = Record<string, string>

/** Returns `person.1@example.org` and so on, each also with the values in `more`. */
export const students = (count: number, from = 1, more: Student = {}): Student[] =>
  Array.from({ length: count }, (_, index) => ({
    Email: `person.${from + index}@example.org`,
    'First Name': `Ada${from + index}`,
    'Last Name': 'Lovelace',
    'Primary Value': 'Email',
    ...more,
  }))

/** Issues credentials as the portal or another program does, and waits until all are final. */
export async function issueElsewhere(
  { sandbox }: Pick<Workspace, 'sandbox'>,
  people: readonly Student[],
  which = 0,
): Promise<void> {
  const course = sandbox.courses[which]
  await using stack = new AsyncDisposableStack()
  const issuer = openSandboxIssuer(sandbox)
  stack.defer(() => issuer.close())
  const invitation = issuer.prepareInvitation({
    courseUuid: course?.uuid ?? '',
    templateUuid: course?.templateUuid ?? '',
    badgeTemplateUuid: course?.badgeTemplateUuid ?? '',
    options: {},
    students: [...people],
  })
  const outcome = await issuer.invite(invitation, { deadlineMs: 20_000 })
  expect(outcome.class).toBe('accepted')
  await until('every request', async () => sandbox.requests().every(({ status }) => [3, 4, 7].includes(status)))
}

/** Returns a CSV list of these people, with the columns of the test pipeline. */
export const csv = (people: readonly Student[], fields = ['Email', 'First Name', 'Last Name']) =>
  [
    fields.map((field) => (field === 'Email' ? 'e_mail' : field)).join(','),
    ...people.map((person) => fields.map((field) => person[field] ?? '').join(',')),
    '',
  ].join('\n')
