// Parses the arguments of a call from a form as PHP does: a[0][b]=c. Invalid arguments cause Moodle's error
// invalidparameter. Pure.

import { invalidParameter } from './moodle-error.ts'

type Tree = Map<string, string | Tree>

/** Every method that reads an argument, except `take`, throws invalidparameter if the argument has another type. */
export class PostedArguments {
  readonly #tree: Tree

  private constructor(tree: Tree) {
    this.#tree = tree
  }

  /** If a name occurs twice, the last value counts, as in PHP; `a[]` uses the next free index. */
  static fromPairs(pairs: Iterable<readonly [string, string]>): PostedArguments {
    const root: Tree = new Map()
    for (const [name, value] of pairs) insert(root, name, value)
    return new PostedArguments(root)
  }

  /** Removes an argument and returns it; null if it is missing or not a string. */
  take(name: string): string | null {
    const found = this.#tree.get(name)
    this.#tree.delete(name)
    return typeof found === 'string' ? found : null
  }

  /** @throws SiteError invalidparameter for an argument that is not in the list: Moodle accepts no unexpected ones */
  refuseOthers(names: readonly string[]): void {
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

  /** Returns a list of structures; empty if it is missing. */
  structures(name: string): PostedArguments[] {
    return this.#children(name).map((child) => {
      if (typeof child === 'string') throw invalidParameter()
      return new PostedArguments(child)
    })
  }

  /** Returns a list of strings; empty if it is missing. */
  strings(name: string): string[] {
    return this.#children(name).map((child) => {
      if (typeof child !== 'string') throw invalidParameter()
      return child
    })
  }

  integers(name: string): number[] {
    return this.strings(name).map(toInteger)
  }

  /** Returns a structure, or null if it is missing. */
  structure(name: string): PostedArguments | null {
    const found = this.#tree.get(name)
    if (found === undefined) return null
    if (typeof found === 'string') throw invalidParameter()
    return new PostedArguments(found)
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

function insert(root: Tree, name: string, value: string): void {
  const [first = '', ...rest] = name.split('[')
  const steps = [first, ...rest.map((step) => step.replace(/\]$/, ''))]
  let tree = root
  for (const step of steps.slice(0, -1)) tree = childOf(tree, step)
  const last = steps.at(-1) ?? ''
  tree.set(last === '' ? String(tree.size) : last, value)
}

function childOf(tree: Tree, step: string): Tree {
  const key = step === '' ? String(tree.size) : step
  const found = tree.get(key)
  if (found instanceof Map) return found
  const child: Tree = new Map()
  tree.set(key, child)
  return child
}
