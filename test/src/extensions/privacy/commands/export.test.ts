// The command export, run in this process against a sandbox over HTTP.

import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { issue, openWorkspace } from '#test/src/cli/cli-workspace.ts'
import { runInWorkspace } from '#test/src/cli/run-in-workspace.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const header = 'e_mail,First Name,Last Name,Remark'
const ada = 'shared@example.org,Ada,"O\'Hara & Co",eats no nuts'
const list = (...rows: string[]) => `${[header, ...rows].join('\n')}\n`

async function everythingIn(folder: string): Promise<{ names: string[]; text: string }> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const texts = await Promise.all(names.map((name) => readFile(name, 'latin1')))
  return { names, text: texts.join('\n') }
}

describeWithDatabase('credsync export', () => {
  test('writes all of one person, escaped and private, and nothing of anybody else', async () => {
    const archive = { to: 'certificates' }
    const workspace = await openWorkspace({ pipeline: { archive } })
    await mkdir(join(workspace.folder, 'certificates'))
    await workspace.run(
      issue(await workspace.write('first.csv', list(ada, 'bob@example.org,Bob,Zzyzx,likes nuts')), '--wait'),
    )
    // Somebody else at the same address, and an invalid row of each.
    const second = list(ada, 'bob@example.org,Bob,Zzyzx,x').replace('Ada,', 'Wilhelmina,')
    await workspace.run(issue(await workspace.write('second.csv', second), '--wait'))
    await workspace.run(
      issue(
        await workspace.write('third.csv', list(ada, ada.replace('Ada,', ',').replace('no nuts', 'Wilhelmina'))),
        '--wait',
      ),
    )

    const done = await runInWorkspace(workspace, ['export', 'i1', '--to', 'out', '--json'])
    expect(done.stderr).not.toMatch(/Ada|Hara|shared@/)
    expect([done.code, JSON.parse(done.stdout)]).toMatchObject([0, { leftOut: 2 }])
    const folder = join(workspace.folder, 'out')
    const data = JSON.parse(await readFile(join(folder, 'data.json'), 'utf8'))
    expect(data.issuances).toEqual([
      expect.objectContaining({ id: 1, state: 'issued', recipient: expect.objectContaining({ 'First Name': 'Ada' }) }),
    ])
    expect(data.rows.map(({ list: name, row, outcome }: Record<string, unknown>) => [name, row, outcome])).toEqual([
      ['first.csv', 2, 'accepted'],
      ['third.csv', 2, 'invalid'],
    ])
    expect(data.rows[0].cells).toContain('eats no nuts')
    expect(data.leftOut.rows).toHaveLength(2)
    const { names, text } = await everythingIn(folder)
    expect(text).not.toMatch(/Wilhelmina|bob@example|Zzyzx|likes/)
    for (const name of names) expect([name, (await stat(name)).mode & 0o777]).toEqual([name, 0o600])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    const page = await readFile(join(folder, 'index.html'), 'utf8')
    expect(page).toContain('O&#39;Hara &amp; Co')
  })

  test('writes nothing into a folder with files, or for nobody', async () => {
    const workspace = await openWorkspace()
    await workspace.run(issue(await workspace.write('first.csv', list(ada)), '--wait'))
    await mkdir(join(workspace.folder, 'full'))
    await writeFile(join(workspace.folder, 'full', 'here'), 'x')
    const full = await runInWorkspace(workspace, ['export', 'i1', '--to', 'full'])
    expect([full.code, full.stderr]).toEqual([2, expect.stringContaining('is not empty')])
    expect(await readdir(join(workspace.folder, 'full'))).toEqual(['here'])
    const nobody = await runInWorkspace(workspace, ['export', 'nobody@example.org', '--to', 'out'])
    expect(nobody.code).toBe(2)
    expect(await readdir(workspace.folder)).not.toContain('out')
  })
})
