// No name of the world is taken for a damaged one.

import { expect, test } from 'vitest'
import { checkOne } from './check-one.ts'
import { aField } from './fields.ts'

const given =
  'Ada Björk Seán Zoë Łukasz Ngọc Nguyễn Þór Søren Åsa José Iñés João Çağla Doğan Žofie Jiří Ştefan Ġorġ Māra Ēriks X Null Na None Nan O Æ Ánh D’Arcy Jean-Luc Mary‑Ann J.R. Νίκος Сергей Олена Արամ ნინო נועה محمد مریم सुनीता অনন্যা กมล 王芳 さくら ジョン 서연 阿里·买买提 ሰላም'
const family = ["'t Hooft", 'O’Neill', 'Smith & Sons', 'van der Berg']

test.each(['First Name', 'Last Name'])('no name is refused as a %s', (title) => {
  const names = [...given.split(' '), ...family].map((name) => name.normalize('NFC'))
  expect(names).toHaveLength(54)
  expect(names.filter((name) => checkOne(aField(title), name).value !== name)).toEqual([])
})
