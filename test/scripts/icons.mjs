// Draws the icons of packages from resources/icons/icon.svg, in Chromium: icon.png (Linux), icon.ico (Windows), icon.icns (macOS).
//   node test/scripts/icons.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { findChromium } from '../support/chromium.mjs'

const folder = fileURLToPath(new URL('../../resources/icons', import.meta.url))
const svg = readFileSync(join(folder, 'icon.svg')).toString('base64')
const icoSizes = [16, 24, 32, 48, 64, 128, 256]
/** Types of icns and their widths; ic11 to ic14 are those of screens with double density. */
const icnsTypes = {
  icp4: 16,
  icp5: 32,
  ic11: 32,
  ic12: 64,
  ic07: 128,
  ic13: 256,
  ic08: 256,
  ic14: 512,
  ic09: 512,
  ic10: 1024,
}

const browser = await chromium.launch({ executablePath: findChromium(), chromiumSandbox: false })
const pictures = new Map()
for (const size of new Set([512, ...icoSizes, ...Object.values(icnsTypes)])) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  const style = 'display:block;width:100vw;height:100vh'
  await page.setContent(`<body style="margin:0"><img style="${style}" src="data:image/svg+xml;base64,${svg}">`)
  pictures.set(size, await page.screenshot({ omitBackground: true }))
  await page.close()
}
await browser.close()

/** A directory of 16 bytes a picture, then the pictures as PNG. */
function ico() {
  const head = Buffer.alloc(6 + 16 * icoSizes.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(icoSizes.length, 4)
  let end = head.length
  for (const [at, size] of icoSizes.entries()) {
    const { length } = pictures.get(size)
    // Width and height (0: 256), colours, planes, bits, length, place.
    head.set([size % 256, size % 256, 0, 0, 1, 0, 32, 0], 6 + 16 * at)
    head.writeUInt32LE(length, 14 + 16 * at)
    head.writeUInt32LE(end, 18 + 16 * at)
    end += length
  }
  return Buffer.concat([head, ...icoSizes.map((size) => pictures.get(size))])
}

/** Each part has its type and its length, which counts both. */
function part(type, ...content) {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0), 4)
  return Buffer.concat([head, ...content])
}

writeFileSync(join(folder, 'icon.png'), pictures.get(512))
writeFileSync(join(folder, 'icon.ico'), ico())
writeFileSync(
  join(folder, 'icon.icns'),
  part('icns', ...Object.entries(icnsTypes).map(([type, size]) => part(type, pictures.get(size)))),
)
