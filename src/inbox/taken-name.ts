// What a file is called from when it is taken: the time, eight random letters and its own name. So no two of them ever collide, in
// processing, done or refused, also when the same name comes every night. Pure.

const form = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.([0-9a-f]{8})\.(.+)$/s

/** A file system takes 255 bytes; what is put in front takes 30, and an ending such as .reason.txt comes behind. */
const mostBytes = 200

/** A file that comes back under a name of ours begins anew. @param id eight random hexadecimal letters */
export function takenName(name: string, at: Date, id: string): string {
  const second = `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  return `${second}.${id}.${shortened((nameBefore(name) ?? name).replace(/\p{Cc}/gu, '-'))}`
}

/** The name under which it lay in the inbox, or null for what was not taken by us. */
export function nameBefore(taken: string): string | null {
  return form.exec(taken)?.[2] ?? null
}

/** The eight letters of a name that was given by us: its run begins with them, so that its results and its file are called alike. */
export function lettersOf(taken: string): string | null {
  return form.exec(taken)?.[1] ?? null
}

/** Keeps the end, which says what kind of file it is. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= mostBytes) return name
  const [ending = ''] = /\.[^.]{1,10}$/.exec(name) ?? []
  let kept = ''
  for (const letter of name) {
    if (Buffer.byteLength(kept + letter + ending) > mostBytes) break
    kept += letter
  }
  return kept + ending
}
