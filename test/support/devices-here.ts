/** Whether the tests have a GPU; the software adapter counts. */
export const hasGpu = process.env['ANTICLIQUE_GPU_TESTS'] !== 'absent'

export const devicesHere: readonly string[] = hasGpu ? ['cpu:0', 'gpu:0'] : ['cpu:0']
