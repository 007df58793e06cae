// The signs that spreadsheet programs show in place of a value.

// In a CSV they are text, in the language of whoever exported it (#REF!, #BEZUG!, #¡REF!, #NOM?), so their form counts. Those without
// an ending are listed.
const ofForm = /^#[¡¿]?\p{Lu}[\p{Lu}\d/_]*[!?]$/u
const listed = new Set(['#N/A', '#NV', '#N/D', '#GETTING_DATA'])
// What a column shows, and some programs export, when it is too narrow for its numbers.
const tooNarrow = /^#{3,}$/
// LibreOffice has numbers from 501 to 540 for what has no sign of its own, behind a word of its language. Room:502 is none.
const numbered =
  /^(?:err|error|erro|erreur|fout|fehler|fejl|feil|fel|virhe|chyba|błąd|hiba|hata|ошибка|помилка|σφάλμα|エラー|错误|錯誤|오류)\s?[:：]\s?5(?:[0-3]\d|40)$/iu
const longestNumbered = 14

/** Whether the whole value is one of them. */
export function isErrorSign(value: string): boolean {
  if (value.charCodeAt(0) === 0x23) return listed.has(value) || ofForm.test(value) || tooNarrow.test(value)
  return value.length < longestNumbered && /[:：]\s?5\d\d$/.test(value) && numbered.test(value)
}
