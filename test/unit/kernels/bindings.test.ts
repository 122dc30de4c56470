import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sourceFiles } from '../structure/source-files.ts'
import { allKernels } from '../../support/kernels.ts'

/** Storage bindings of a shader in binding order, with their access. */
function storageOf(wgsl: string) {
  return [...wgsl.matchAll(/@binding\((\d+)\) var<storage, (\w+)> (\w+)/g)]
    .sort((a, b) => Number(a[1]) - Number(b[1]))
    .map(([, binding, access, name]) => ({ binding: Number(binding), name, access }))
}

const shaders = sourceFiles(['kernels'], ['.wgsl'])
/** What several kernels share, and is none. */
const isPart = (path: string): boolean => path.includes('kernels/parts/')

describe('each kernel', () => {
  it('is among those that are looked at here', () => {
    const files = shaders.filter(({ path }) => !isPart(path)).map(({ path }) => basename(path, '.wgsl'))
    // Some are made in several forms, which their name ends with.
    const names = new Set(
      allKernels.map(({ name }) => name.replace(/(-weighted|(-long|-longest)?(-\d+)+(-collected)?)$/, '')),
    )
    expect([...names].toSorted()).toEqual(files.toSorted())
  })

  it.each(shaders.filter(({ path }) => isPart(path)).map(({ path, text }) => [path, text] as const))(
    '%s is a part of several',
    (_, text) => {
      expect(allKernels.filter(({ wgsl }) => wgsl.includes(text)).length).toBeGreaterThan(1)
    },
  )

  it.each(allKernels.map((kernel) => [kernel.name, kernel] as const))(
    '%s tells the host what its shader declares',
    (_, kernel) => {
      expect(storageOf(kernel.wgsl)).toEqual(kernel.buffers.map((buffer, i) => ({ binding: i + 1, ...buffer })))
      const params = /struct Params \{([^}]*)\}/.exec(kernel.wgsl)?.[1]
      expect(params?.split(',').map((field) => field.trim())).toEqual(kernel.params.map((name) => `${name}: u32`))
      expect(kernel.wgsl).toContain(`@workgroup_size(${kernel.workgroup})`)
      expect(kernel.buffers.length).toBeLessThanOrEqual(8)
    },
  )
})
