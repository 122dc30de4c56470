// Hooks of electron-builder: before it packs a target, the native parts of that target are there; behind it, their licences and a list of everything shipped.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Arch } from 'electron-builder'
import { billOfMaterials, noticesOf, nativePackages, shippedComponents } from './shipped.mjs'

const targetOf = ({ electronPlatformName, arch }) => `${electronPlatformName}-${Arch[arch]}`

/** npm installs the parts of its own machine only: a package of another one is fetched, compared with the lock file, and unpacked. */
function fetchPackage(root, name) {
  const { version, integrity } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages[
    `node_modules/${name}`
  ]
  const folder = mkdtempSync(join(tmpdir(), 'anticlique-part-'))
  try {
    const windows = process.platform === 'win32'
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, `${name}@${version}`], { shell: windows })
    const [file] = readdirSync(folder)
    const sum = createHash('sha512')
      .update(readFileSync(join(folder, file)))
      .digest('base64')
    if (`sha512-${sum}` !== integrity) throw new Error(`${name} ${version} is not what package-lock.json has`)
    const to = join(root, 'node_modules', name)
    mkdirSync(to, { recursive: true })
    execFileSync('tar', ['-xzf', file, '--strip-components=1', '-C', to], { cwd: folder })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function beforePack(context) {
  const root = context.packager.projectDir
  for (const name of nativePackages(targetOf(context)))
    if (!existsSync(join(root, 'node_modules', name, 'package.json'))) fetchPackage(root, name)
}

export function afterPack(context) {
  const { packager, appOutDir } = context
  const resources = packager.getResourcesDir(appOutDir)
  const components = shippedComponents(packager.projectDir, targetOf(context))
  writeFileSync(join(resources, 'THIRD-PARTY-NOTICES.txt'), noticesOf(components))
  writeFileSync(
    join(resources, 'sbom.cdx.json'),
    billOfMaterials('anticlique-workbench', packager.appInfo.version, components),
  )
  copyFileSync(join(packager.projectDir, 'LICENSE'), join(resources, 'LICENSE.txt'))
}
