// Arguments of a call as PHP reads them from a form: a[0][b]=c. Whatever does not fit is Moodle's invalidparameter.

import { invalidParameter } from './moodle-error.ts'

type Tree = Map<string, string | Tree>

export class Arguments {
  readonly #tree: Tree

  private constructor(tree: Tree) {
    this.#tree = tree
  }

  /** Of two values under one name the later one counts, as in PHP; `a[]` takes the next free number. */
  static of(pairs: Iterable<readonly [string, string]>): Arguments {
    const root: Tree = new Map()
    for (const [name, value] of pairs) plant(root, name, value)
    return new Arguments(root)
  }

  /** Takes a name out and gives its text, or null where it did not come or is no text. */
  take(name: string): string | null {
    const found = this.#tree.get(name)
    this.#tree.delete(name)
    return typeof found === 'string' ? found : null
  }

  /** @throws MoodleError invalidparameter for a name that is not in the list: Moodle takes no unexpected keys. */
  only(names: readonly string[]): void {
    for (const name of this.#tree.keys()) if (!names.includes(name)) throw invalidParameter()
  }

  has(name: string): boolean {
    return this.#tree.has(name)
  }

  text(name: string): string {
    const found = this.#tree.get(name)
    if (typeof found !== 'string') throw invalidParameter()
    return found
  }

  integer(name: string): number {
    return toInteger(this.text(name))
  }

  decimal(name: string): number {
    const number = Number(this.text(name))
    if (this.text(name).trim() === '' || !Number.isFinite(number)) throw invalidParameter()
    return number
  }

  /** A list of structures; empty where it did not come. */
  each(name: string): Arguments[] {
    return this.#children(name).map((child) => {
      if (typeof child === 'string') throw invalidParameter()
      return new Arguments(child)
    })
  }

  /** A list of texts; empty where it did not come. */
  texts(name: string): string[] {
    return this.#children(name).map((child) => {
      if (typeof child !== 'string') throw invalidParameter()
      return child
    })
  }

  integers(name: string): number[] {
    return this.texts(name).map(toInteger)
  }

  /** A structure, or null where it did not come. */
  part(name: string): Arguments | null {
    const found = this.#tree.get(name)
    if (found === undefined) return null
    if (typeof found === 'string') throw invalidParameter()
    return new Arguments(found)
  }

  #children(name: string): (string | Tree)[] {
    const found = this.#tree.get(name)
    if (found === undefined) return []
    if (typeof found === 'string') throw invalidParameter()
    return [...found.values()]
  }
}

function toInteger(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw invalidParameter()
  return Number(text)
}

function plant(root: Tree, name: string, value: string): void {
  const [first = '', ...rest] = name.split('[')
  const steps = [first, ...rest.map((step) => step.replace(/\]$/, ''))]
  let tree = root
  for (const step of steps.slice(0, -1)) tree = branch(tree, step)
  const last = steps.at(-1) ?? ''
  tree.set(last === '' ? String(tree.size) : last, value)
}

function branch(tree: Tree, step: string): Tree {
  const key = step === '' ? String(tree.size) : step
  const found = tree.get(key)
  if (found instanceof Map) return found
  const grown: Tree = new Map()
  tree.set(key, grown)
  return grown
}
