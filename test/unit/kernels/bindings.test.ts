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

describe('each kernel', () => {
  it('is among those that are looked at here', () => {
    const files = sourceFiles(['kernels'], ['.wgsl']).map(({ path }) => basename(path, '.wgsl'))
    expect(allKernels.map(({ name }) => name).toSorted()).toEqual(files.toSorted())
  })

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
