// Writes a number as a spreadsheet program shows it, for formats with which the result is certain. Pure.

/** One section of a format code. */
interface ShownForm {
  before: string
  after: string
  /** By how many places the decimal point moves: two for each percent sign. */
  shift: number
  /** Undefined for `General`. */
  digits?: { whole: number; decimals: number; optional: number; point: boolean }
}

/** The sections of a format code; null for one that is not certain. */
export type ShownForms = readonly (ShownForm | null)[]

const pieces = /"([^"]*)"|\\(.)|\[([^\]]*)\]|_.|\*.|general|[0#?.,]+|[\s\S]/giu
const color = /^(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d{1,2})$/i
// A currency, and a language by its short number. A longer number also chooses other digits.
const currency = /^\$([^-]*)(?:-[0-9a-f]{1,4})?$/i
// A comma at the end would divide by a thousand.
const digitRun = /^((?:[#0,]*[#0])?)(\.(0*)(#*))?$/
// These characters are literals in a format even without a backslash.
const plainLiteral = /[-+ ():$€£¥]/

/** Reads the code of a format without conditions. Fractions, exponents and fillers are not certain. */
export function readShownForms(code: string): ShownForms {
  const forms: (ShownForm | null)[] = []
  let section: string[] = []
  const parts = code.match(pieces) ?? []
  for (const part of [...parts, ';']) {
    if (part !== ';') {
      section.push(part)
      continue
    }
    forms.push(readSection(section))
    section = []
  }
  return forms
}

function readSection(parts: string[]): ShownForm | null {
  const form: ShownForm = { before: '', after: '', shift: 0 }
  let numbers = 0
  const write = (text: string) => {
    if (numbers === 0) form.before += text
    else form.after += text
  }
  for (const part of parts) {
    if (part.length > 1 && part.startsWith('"')) write(part.slice(1, -1))
    else if (part.length > 1 && (part.startsWith('\\') || part.startsWith('_')))
      write(part[0] === '_' ? ' ' : part.slice(1))
    else if (part.length > 1 && part.startsWith('[')) {
      const inside = part.slice(1, -1)
      const symbol = currency.exec(inside)?.[1]
      if (symbol === undefined && !color.test(inside)) return null
      write(symbol ?? '')
    } else if (part === '* ' && form.before.trim() === '' && numbers === 0) continue
    else if (part === '%') {
      form.shift += 2
      write('%')
    } else if (/^general$/i.test(part)) numbers++
    else if (/^[0#?.,]/.test(part)) {
      numbers++
      const [, places = '', point, decimals = '', optional = ''] = digitRun.exec(part) ?? []
      const whole = places.replaceAll(',', '')
      if (places + decimals + optional === '' || !/^#*0*$/.test(whole)) return null
      form.digits = {
        whole: whole.replaceAll('#', '').length,
        decimals: decimals.length,
        optional: optional.length,
        point: point !== undefined,
      }
    } else if (plainLiteral.test(part)) write(part)
    else return null
  }
  return numbers === 1 && (form.digits || form.shift === 0) ? form : null
}

/**
 * Writes `value` with 15 significant digits, a decimal point and no marks between thousands, because these marks differ
 * from country to country. Returns null if it is not certain what is shown.
 * @param general writes a number in the format General
 */
export function showNumber(value: number, forms: ShownForms, general: (value: number) => string): string | null {
  const ofSign = value > 0 ? 0 : value < 0 ? 1 : 2
  const section = ofSign < forms.length ? ofSign : 0
  const form = forms[section]
  const size = Math.abs(value)
  if (!form || size >= 1e15) return null
  const digits = form.digits ? writeFixed(size, form.shift, form.digits) : general(size)
  if (!/^[\d.]+$/.test(digits) || !/\d/.test(digits) || (value < 0 && !/[1-9]/.test(digits))) return null
  return `${value < 0 && section === 0 ? '-' : ''}${form.before}${digits}${form.after}`.trim()
}

/** Rounds half up in decimal digits, as spreadsheet programs do: 1.005 with two decimals is 1.01. */
function writeFixed(size: number, shift: number, form: NonNullable<ShownForm['digits']>): string {
  const places = form.decimals + form.optional
  const [mantissa = '', exponent] = size.toExponential(14).split('e')
  const moved = Number(exponent) - 14 + shift + places
  const digits = BigInt(mantissa.replace('.', ''))
  const divisor = 10n ** BigInt(Math.max(0, -moved))
  const rounded = (digits * 10n ** BigInt(Math.max(0, moved)) + divisor / 2n) / divisor
  const text = String(rounded).padStart(places + 1, '0')
  const whole = text
    .slice(0, text.length - places)
    .replace(/^0+/, '')
    .padStart(form.whole, '0')
  let fraction = text.slice(text.length - places)
  while (fraction.length > form.decimals && fraction.endsWith('0')) fraction = fraction.slice(0, -1)
  return form.point ? `${whole}.${fraction}` : whole
}
