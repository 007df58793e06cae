// Resolves the templates that a course form names: all templates on create, those to add and to remove on update. Pure.

import { allTemplates, type SeedTemplate } from '#sandboxes/service/seeds/templates.ts'
import type { Templates } from '../course.ts'
import { invalidField, stringList } from './field-readers.ts'

type Texts = ReadonlyMap<string, string>

const byUuid = new Map(allTemplates.map((template) => [template.uuid, template]))

export const createTemplateFields: readonly string[] = ['templateId', 'badgeTemplateId']
export const updateTemplateFields: readonly string[] = [
  ...['template_add', 'template_remove_id', 'badge_template_add', 'badge_template_remove_id'],
]

/**
 * Returns the templates of one kind that `field` names; it must name at least one.
 * @throws SandboxRefusal 400
 */
export function chosenTemplates(texts: Texts, field: string, kind: SeedTemplate['kind']): Templates {
  const [first, ...others] = templatesNamed(texts, field, kind)
  if (!first) throw invalidField(field, 'is required, with at least one template')
  return [first, ...others]
}

/**
 * Returns a course's templates of one kind after adding and removing. Adding an existing template changes nothing.
 * @throws SandboxRefusal 400
 */
export function changedTemplates(current: Templates, texts: Texts, prefix: '' | 'badge_'): Templates {
  const [add, remove] = [`${prefix}template_add`, `${prefix}template_remove_id`]
  const added = templatesNamed(texts, add, current[0].kind)
  const removed = uuids(texts, remove)
  if (removed.some((uuid) => !current.some((each) => each.uuid === uuid)))
    throw invalidField(remove, 'names a template that the course does not have')
  const [first, ...others] = [...new Set([...current, ...added])].filter(({ uuid }) => !removed.includes(uuid))
  if (!first) throw invalidField(remove, 'would leave the course without a template')
  return [first, ...others]
}

function templatesNamed(texts: Texts, field: string, kind: SeedTemplate['kind']): SeedTemplate[] {
  return uuids(texts, field).map((uuid) => {
    const template = byUuid.get(uuid)
    if (template?.active && template.kind === kind) return template
    throw invalidField(field, `names something that is not an active ${kind} template in the template list`)
  })
}

function uuids(texts: Texts, field: string): string[] {
  const text = texts.get(field)?.trim() ?? ''
  return text === '' ? [] : [...new Set(stringList(text, field))]
}
