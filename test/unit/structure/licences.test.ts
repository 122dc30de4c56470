import { expect, test } from 'vitest'
import { billOfMaterials, nodePackages, noticesOf, shippedComponents } from '../../../resources/packaging/shipped.mjs'
import { root } from './source-files.ts'

/** They ask for their notice alone, which packages carry. */
const permissive = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'BlueOak-1.0.0', 'Unlicense']

const shipped = shippedComponents(root, `${process.platform}-${process.arch}`)

test('all that is shipped, on any platform, has a permissive licence and a locked sum', () => {
  expect(Object.keys(nodePackages).length).toBe(5)
  for (const platform of Object.keys(nodePackages)) {
    const components = shippedComponents(root, platform)
    expect(components.length).toBeGreaterThan(30)
    expect(
      components.filter(({ licence }) => !licence?.split(/ OR |[()]/).some((one) => permissive.includes(one))),
    ).toEqual([])
    expect(components.filter(({ sha512 }) => !/^[\da-f]{128}$/.test(sha512))).toEqual([])
    for (const name of ['koffi', `@koromix/koffi-${platform}`, nodePackages[platform]])
      expect(components.map((one) => one.name)).toContain(name)
  }
})

test('the bill of materials names each once, for programs', () => {
  const bill = JSON.parse(billOfMaterials('anticlique', '1.2.3', shipped)) as {
    bomFormat: string
    specVersion: string
    components: { name: string; purl: string; licenses: { license: { id: string } }[] }[]
  }
  expect([bill.bomFormat, bill.specVersion]).toEqual(['CycloneDX', '1.5'])
  expect(bill.components.map(({ name }) => name)).toEqual(shipped.map(({ name }) => name))
  expect(new Set(bill.components.map(({ purl }) => purl)).size).toBe(shipped.length)
})

test('the notices hold the text of each licence that its author gives', () => {
  const notices = noticesOf(shipped)
  expect(shipped.filter(({ text }) => text !== null).length).toBeGreaterThan(30)
  for (const { name, version, text } of shipped) {
    expect(notices).toContain(`\n${name} ${version}\n`)
    if (text !== null) expect(notices).toContain(text)
  }
})
