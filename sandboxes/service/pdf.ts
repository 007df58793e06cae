// Makes a PDF of one page: a few lines of text in a frame. The same lines give the same bytes. Pure.

export interface PdfLine {
  text: string
  /** In points. */
  size: number
  bold?: boolean
}

// A4, landscape.
const [width, height, margin] = [842, 595, 40]

export function onePagePdf(lines: readonly PdfLine[]): Buffer {
  const content = pageContent(lines)
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
  return assemble([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    font('Helvetica'),
    font('Helvetica-Bold'),
  ])
}

function pageContent(lines: readonly PdfLine[]): string {
  const frame = `${margin} ${margin} ${width - 2 * margin} ${height - 2 * margin} re S`
  let y = height - 2 * margin
  const textCommands = lines.map(({ text, size, bold }) => {
    y -= size * 1.6
    return `BT /${bold ? 'F2' : 'F1'} ${size} Tf ${2 * margin} ${y.toFixed(1)} Td (${escaped(text)}) Tj ET`
  })
  return [frame, ...textCommands].join('\n')
}

/** Joins the objects in order and adds the table of their offsets, which PDF readers start from. */
function assemble(objects: readonly string[]): Buffer {
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.lastIndexOf('xref\n0')}\n%%EOF\n`
  // In this encoding one character is one byte, so the offsets counted above are offsets in the file.
  return Buffer.from(file, 'latin1')
}

// The built-in fonts have only Latin letters; other letters would require a font in the file.
function escaped(text: string): string {
  return text.replaceAll(/[^ -~\u00a1-\u00ff]/g, '?').replaceAll(/[\\()]/g, '\\$&')
}
