// Lengths of time: ISO 8601:2004 section 4.4.3.2, as xAPI 1.0.3 (Data 4.6) asks for.

const designators = /^P(?=.)(?:[\d.,]+Y)?(?:[\d.,]+M)?(?:[\d.,]+D)?(?:T(?=.)(?:[\d.,]+H)?(?:[\d.,]+M)?(?:[\d.,]+S)?)?$/
const weeks = /^P[\d.,]+W$/
const wellFormedNumbers = /^P(?:T?\d+(?:[.,]\d+)?[A-Z])+$/
/** Only the smallest unit may have a fraction. */
const fractionBeforeTheEnd = /[.,]\d+[A-Z]./

/** Weeks stand alone; the form that looks like a date (`P0001-01-01`) is not allowed. */
export function isDuration(text: string): boolean {
  return (
    (designators.test(text) || weeks.test(text)) && wellFormedNumbers.test(text) && !fractionBeforeTheEnd.test(text)
  )
}
