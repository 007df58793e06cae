// The lists that a visitor sees: those of its pipelines that are on this machine.

import type { SignedIn } from '#src/extensions/console/ledger/sessions.ts'
import { nothing } from '../../html/elements.ts'
import { html } from '../../html/markup.ts'
import type { Upload } from '../../uploads/open-uploads.ts'
import { type Answer, type Console, page, scopeOf, type Visit } from '../../visit.ts'

export async function visibleUploads(console: Console, visitor: SignedIn): Promise<Upload[]> {
  return (await console.uploads.list()).filter((upload) => isVisible(console, upload, visitor))
}

/** A list that does not exist and one that the visitor may not see look the same. */
export const ofUpload =
  (answer: (console: Console, visit: Visit, upload: Upload) => Promise<Answer>) =>
  async (console: Console, visit: Visit): Promise<Answer> => {
    const upload = await console.uploads.find(visit.params.id ?? '')
    return upload && isVisible(console, upload, visit.visitor) ? answer(console, visit, upload) : notHere
  }

function isVisible({ parts }: Console, { environment, pipeline }: Upload, visitor: SignedIn): boolean {
  const scope = scopeOf(visitor)
  return (
    environment === parts.ledger.environment &&
    parts.pipelines.find(pipeline) !== null &&
    (scope === null || scope.includes(pipeline))
  )
}

const notHere = page(
  {
    title: 'No such list here',
    back: { href: '/upload', text: 'Upload' },
    body: html`<div class="card">${nothing('It was discarded, it is older than a day, or it is on another machine: a list stays on the machine that it was uploaded to. You can upload it again.')}</div>`,
  },
  404,
)
