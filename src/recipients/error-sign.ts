// The signs that spreadsheet programs show in place of a value.

// In a CSV they are text, in the language of whoever exported it (#REF!, #BEZUG!, #¡REF!, #NOM?), so their form counts. Those without
// an ending are listed.
const ofForm = /^#[¡¿]?\p{Lu}[\p{Lu}\d/_]*[!?]$/u
const listed = new Set(['#N/A', '#NV', '#N/D', '#GETTING_DATA'])
// What a column shows, and some programs export, when it is too narrow for its numbers.
const tooNarrow = /^#{3,}$/

/** Whether the whole value is one of them. */
export function isErrorSign(value: string): boolean {
  if (value.charCodeAt(0) !== 0x23) return false
  return listed.has(value) || ofForm.test(value) || tooNarrow.test(value)
}
