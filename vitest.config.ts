import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'
import { LIMIT_MS, PATIENCE_MS } from './test/support/limits.ts'

/** Tests run in forked processes: a native crash of a driver is then one red file, and the environment reaches the Vulkan loader. */
const project = (name: string, extra: Record<string, unknown> = {}) => ({
  plugins: [vue()],
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    pool: 'forks' as const,
    // Threads that tests start run the sources, too.
    execArgv: ['--import', new URL('test/support/raw-imports.mjs', import.meta.url).href],
    // Guards against what never ends: a test takes seconds, on a slow machine with other work a minute.
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    expect: { poll: { timeout: PATIENCE_MS, interval: 10 } },
    setupFiles: [
      'test/support/property-tests.ts',
      'test/support/no-flush.ts',
      'test/support/patience.ts',
      'test/support/kept-threads.ts',
    ],
    ...extra,
  },
})

const drivesTheProgram = { globalSetup: ['test/support/fresh-build.mjs'] }

export default defineConfig({
  test: {
    // One more than two processors, as tests wait for timers, processes and pages.
    maxWorkers: 3,
    globalSetup: ['test/support/scratch-of-run.mjs', 'test/support/gpu-environment.mjs'],
    projects: [
      project('unit'),
      project('renderer', { environment: 'happy-dom' }),
      project('property'),
      project('integration', drivesTheProgram),
      project('gpu'),
      project('e2e', drivesTheProgram),
    ],
  },
})
