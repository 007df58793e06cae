// The templates that a course form names: all of them on create, what to add and remove on update.

import { allTemplates, type Template } from '#src/sandbox/seeds/templates.ts'
import type { Templates } from './course.ts'
import { words, wrong } from './field-readers.ts'

type Texts = ReadonlyMap<string, string>

const byUuid = new Map(allTemplates.map((each) => [each.uuid, each]))

export const createTemplateFields: readonly string[] = ['templateId', 'badgeTemplateId']
export const updateTemplateFields: readonly string[] = [
  ...['template_add', 'template_remove_id', 'badge_template_add', 'badge_template_remove_id'],
]

/** The templates of this kind that `field` names, at least one. @throws Refusal 400 */
export function chosenTemplates(texts: Texts, field: string, kind: Template['kind']): Templates {
  const [first, ...others] = named(texts, field, kind)
  if (!first) throw wrong(field, 'is required, with at least one template')
  return [first, ...others]
}

/** What remains of a course's templates of one kind after both lists. Adding one that is there already changes nothing. @throws Refusal 400 */
export function changedTemplates(current: Templates, texts: Texts, prefix: '' | 'badge_'): Templates {
  const [add, remove] = [`${prefix}template_add`, `${prefix}template_remove_id`]
  const added = named(texts, add, current[0].kind)
  const gone = uuids(texts, remove)
  if (gone.some((uuid) => !current.some((each) => each.uuid === uuid)))
    throw wrong(remove, 'names a template that the course does not have')
  const [first, ...others] = [...new Set([...current, ...added])].filter(({ uuid }) => !gone.includes(uuid))
  if (!first) throw wrong(remove, 'would leave the course without a template')
  return [first, ...others]
}

function named(texts: Texts, field: string, kind: Template['kind']): Template[] {
  return uuids(texts, field).map((uuid) => {
    const template = byUuid.get(uuid)
    if (template?.active && template.kind === kind) return template
    throw wrong(field, `names something that is no active ${kind} template of the template list`)
  })
}

function uuids(texts: Texts, field: string): string[] {
  const text = texts.get(field)?.trim() ?? ''
  return text === '' ? [] : [...new Set(words(text, field))]
}
