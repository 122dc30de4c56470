/** Of the tests; the software adapter counts. */
export const hasGpu = process.env['ANTICLIQUE_GPU_TESTS'] !== 'absent'

export const devicesHere: readonly string[] = hasGpu ? ['cpu:0', 'gpu:0'] : ['cpu:0']
