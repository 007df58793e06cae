// Recognizes the error codes that spreadsheet programs show instead of a value, such as #REF!. Pure.

// In a CSV the codes are text in the language of the person who exported it (#REF!, #BEZUG!, #¡REF!, #NOM?), so they
// are matched by their form. Codes without a final ! or ? are listed.
const generalForm = /^#[¡¿]?\p{Lu}[\p{Lu}\d/_]*[!?]$/u
const listedCodes = new Set(['#N/A', '#NV', '#N/D', '#GETTING_DATA'])
// Programs show this, and some export it, for a column that is too narrow for its numbers.
const tooNarrow = /^#{3,}$/
// For errors without a code, LibreOffice writes a number from 501 to 540 after a word in its own language. Room:502 is
// not such an error.
const numbered =
  /^(?:err|error|erro|erreur|fout|fehler|fejl|feil|fel|virhe|chyba|błąd|hiba|hata|ошибка|помилка|σφάλμα|エラー|错误|錯誤|오류)\s?[:：]\s?5(?:[0-3]\d|40)$/iu
const maxNumberedLength = 14

/** @returns true if the whole value is an error code */
export function isSpreadsheetError(value: string): boolean {
  if (value.charCodeAt(0) === 0x23) return listedCodes.has(value) || generalForm.test(value) || tooNarrow.test(value)
  return value.length < maxNumberedLength && /[:：]\s?5\d\d$/.test(value) && numbered.test(value)
}
