// Checks that language tags are well-formed (RFC 5646 section 2.1), but not that their subtags are registered. Pure.

const parts = {
  language: '(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})',
  script: '(?:-[a-z]{4})?',
  region: '(?:-(?:[a-z]{2}|\\d{3}))?',
  variants: '((?:-(?:[a-z0-9]{5,8}|\\d[a-z0-9]{3}))*)',
  extensions: '((?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*)',
  privateUse: '(?:-x(?:-[a-z0-9]{1,8})+)?',
}
const tag = new RegExp(`^${Object.values(parts).join('')}$`)
const privateUseOnly = /^x(?:-[a-z0-9]{1,8})+$/

/** Tags that were registered before there was a grammar; RFC 5646 lists them as irregular. */
const irregular = new Set(
  (
    'en-gb-oed i-ami i-bnn i-default i-enochian i-hak i-klingon i-lux i-mingo i-navajo i-pwn i-tao i-tay i-tsu ' +
    'sgn-be-fr sgn-be-nl sgn-ch-de'
  ).split(' '),
)

export function isLanguageTag(text: string): boolean {
  const lower = text.toLowerCase()
  if (irregular.has(lower) || privateUseOnly.test(lower)) return true
  const found = tag.exec(lower)
  if (!found) return false
  const variants = (found[1] ?? '').split('-').slice(1)
  const singletons = [...(found[2] ?? '').matchAll(/-([0-9a-wy-z])(?=-)/g)].map((match) => match[1])
  return areDistinct(variants) && areDistinct(singletons)
}

function areDistinct(list: readonly unknown[]): boolean {
  return new Set(list).size === list.length
}
