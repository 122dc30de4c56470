import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { mayHaveGpu } from '../../../electron/pool/gpu-presence.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

test('a machine may have a GPU where a driver has nodes, and only there', () => {
  const machine = (...paths: string[]): boolean => {
    const root = `${scratchFolder('presence')}/`
    for (const path of paths) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), '')
    }
    return mayHaveGpu(root, 'linux')
  }
  expect(machine()).toBe(false)
  expect(machine('dev/null', 'dev/dri/by-path')).toBe(false)
  for (const path of ['dev/dri/renderD128', 'dev/nvidiactl', 'proc/driver/nvidia/version', 'dev/dxg', 'dev/kfd'])
    expect(machine(path), path).toBe(true)
  expect(mayHaveGpu('/nowhere/', 'darwin')).toBe(true)
})
