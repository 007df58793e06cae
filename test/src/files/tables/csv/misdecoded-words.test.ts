// Ordinary names in languages written in Windows-1252 are not strange words; names in other encodings that are decoded
// as Windows-1252 are.

import { describe, expect, test } from 'vitest'
import { misdecodedWords } from '#src/files/tables/csv/misdecoded-words.ts'
import { encodedText } from '#test/support/encoded-text.ts'

const western: Record<string, string> = {
  German: 'Müller Jörg Groß Weiß Jäger Bärbel Günther Öztürk Ägidius Hänsel-Müßig »Name« „Name“ Straße Größe',
  French:
    'Hélène Françoise Anaïs Noël Renée Gaël Loïc Benoît Éléonore Lefèvre Lœuillet Œuvrard L’Haÿ Louÿs HÉLÈNE O´Neil',
  Spanish: 'José Íñigo Peñalosa Núñez Güell Agüero Mª MªJosé D.ª Nº 1º 2ªB nº5 ¿Dónde ¡Hola Cigüeña',
  Portuguese: 'João Conceição Simões Guimarães Antônio Inês Assunção Gonçalves Estêvão Ítalo Irmãzinha',
  Italian: 'Niccolò Calò Mazzù Forlì Cantù Scirè Noè Bàrbara Rosalì',
  'Danish and Norwegian':
    'Sandøe Strandøe Søren Jørgen Bjørn Åse Ærø Kjær Østergaard Håkon Øystein Bøe Tøien Høie Røiseland SØREN',
  Swedish: 'Åsa Östen Mattsson Sjöberg Lidén Rosén ÖSTRÖM Ågren',
  Finnish: 'Pääkkönen Hämäläinen Yrjö Äijälä Työläjärvi Äänekoski',
  Icelandic:
    'Aþena Nýbýlavegur Endurskoðandi Bifreiðaskoðun Þórður Guðrún Sæþór Eyþór Ýmir Ýr Arnþór Bergþóra SÆÞÓR Brýnjar Dýrfinna Ástþór Friðþjófur Þröstur',
  Faroese: 'Høgni Jákup Bárður Høgnadóttir Jákupsstøvu Tórshavn Eyðbjørn Bjørg',
  Irish: 'Seán Éamon Ó Súilleabháin Pádraig Róisín Bríd Úna',
  Gaelic: 'Mìcheal Sìne Dòmhnall Mòrag Ùna Ìomhar Sèonaid Cailèan Fèarchar Cèit Màiri',
  Catalan: 'Núria Òscar Gal·la Marcel·lí Cèlia Mònica Àngel Llúcia Ferràndiz',
  Estonian: 'Kõiv Põld Õunapuu Jõgi Tõnu Köögardal Rõõm Jõeäär Almatõ Kõrgõzstan',
  Albanian: 'Arbër Gëzim dytë katërt Çelë',
  Latin: 'Philosophiæ Scientiæ Theologiæ Academiæ Curiæ Galliæ',
  'file names': 'Simões_José.jpg Nicolò_René.jpg García_Hélène.jpg',
  Dutch: 'Daniël Zoë Coördinator Geïnteresseerd Israëls Saïd',
  'symbols where they are allowed':
    'Acme® Acme™ 20°C N°5 m² m³ km² 1½ §5 €5 £5 ½l µm ©2020 †Müller Warte…dann Jo–Ann ‘Jo’',
}

describe('no word is strange in', () => {
  test.each(Object.entries(western))('%s', (_, names) => {
    expect([...misdecodedWords(names)].map(({ word }) => word)).toEqual([])
  })

  // These names were not used to write the patterns. In a larger measurement, which had the names of months too, 3 of
  // 5,925 words were strange; the lists here contain none of the three.
  test.each([
    'de',
    'fr',
    'es',
    'pt',
    'it',
    'nl',
    'da',
    'nb',
    'sv',
    'fi',
    'is',
    'fo',
    'ca',
    'et',
    'ga',
    'gd',
    'cy',
    'sq',
  ])('the names of countries, languages and currencies in %s', (language) => {
    const words = vocabulary(language).filter((word) => /^[\0-ÿŠšŽžŒœŸ‘’]*$/.test(word))
    expect(words.length).toBeGreaterThan(10)
    expect([...misdecodedWords(words.join('\n'))].map(({ word }) => word)).toEqual([])
  })
})

describe('names in other encodings are detected', () => {
  test.each([
    ['Polish', 'windows-1250', 'Łukasz Michał Grażyna Wójcik Zieliński Żak', 5],
    ['Polish', 'iso-8859-2', 'Łukasz Wiśniewski Grażyna Wójcik Zieliński Żak', 5],
    ['Czech', 'windows-1250', 'Jiří Novák Dvořáková Kateřina Kučera Růžička Černý', 6],
    ['Hungarian', 'windows-1250', 'Nagy Szűcs Győri Gergő László', 3],
    ['Croatian', 'windows-1250', 'Marković Kovačić Đurić', 3],
    ['Romanian', 'windows-1250', 'Ştefan Ioniţă Stănescu', 3],
    ['Turkish', 'windows-1254', 'Ayşe Yıldız Erdoğan Yılmaz Barış', 5],
    ['Latvian', 'windows-1257', 'Bērziņš Kalniņš', 2],
    ['Russian', 'windows-1251', 'Анна Петров', 2],
    ['Greek', 'windows-1253', 'Γιώργος Ελένη', 2],
    ['German from a Macintosh', 'macintosh', 'Müller Bärbel Günther', 3],
  ])('%s in %s', (_, encoding, names, count) => {
    const read = new TextDecoder('windows-1252').decode(encodedText(names, encoding))
    expect([...misdecodedWords(read)]).toHaveLength(count)
  })

  test('with the symbol that revealed them, but never with one of their letters', () => {
    expect([...misdecodedWords('x,Pawe³,Jiøí')]).toEqual([
      { word: 'Pawe³', at: 2, symbol: '³' },
      { word: 'Jiøí', at: 8, symbol: null },
    ])
  })
})

function vocabulary(language: string): string[] {
  const codes = Array.from({ length: 676 }, (_, n) => String.fromCharCode(65 + Math.floor(n / 26), 65 + (n % 26)))
  const namesOf = (type: 'region' | 'language' | 'currency', typeCodes: string[]) => {
    const names = new Intl.DisplayNames([language], { type, fallback: 'none' })
    return typeCodes.flatMap((code) => (names.of(code) ?? '').split(/[\s,()]+/))
  }
  const words = [
    ...namesOf('region', codes),
    ...namesOf(
      'language',
      codes.map((code) => code.toLowerCase()),
    ),
    ...namesOf('currency', Intl.supportedValuesOf('currency')),
  ]
  return [...new Set(words)].map((word) => word.normalize('NFC')).filter((word) => /[^\0-\x7f]/.test(word))
}
