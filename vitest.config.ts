import { globSync, readFileSync } from 'node:fs'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'
import { LIMIT_MS, PATIENCE_MS } from './test/support/limits.ts'

/**
 * Memory outside of V8's heap counts towards the one limit from which garbage is collected, which begins here: each import of a small file
 * takes buffers, and V8 would collect all garbage for every 64 MiB of them, a third of what such tests do.
 */
const seldomCollected = ['--external-memory-accounted-in-global-limit', '--initial-heap-size=256']

/** Tests run in forked processes: a native crash of a driver leaves other processes, and the environment reaches the Vulkan loader. */
const project = (name: string, extra: Record<string, unknown> = {}) => ({
  plugins: [vue()],
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    pool: 'forks' as const,
    // Threads that tests start run the sources, too.
    execArgv: ['--import', new URL('test/support/raw-imports.mjs', import.meta.url).href, ...seldomCollected],
    // Guards against what never ends: a test takes seconds, on a slow machine with other work a minute.
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    expect: { poll: { timeout: PATIENCE_MS, interval: 10 } },
    setupFiles: [
      'test/support/property-tests.ts',
      'test/support/no-flush.ts',
      'test/support/patience.ts',
      'test/support/kept-threads.ts',
      'test/support/scratch-removed.ts',
    ],
    ...extra,
  },
})

/**
 * Files that put something in the place of a module, which every later file of the same process would find there, or look at the memory of their
 * process or at devices that are open, which earlier files leave.
 */
const apart = globSync('test/**/*.test.ts', { cwd: import.meta.dirname }).filter(
  (file) =>
    file.startsWith('test/gpu/device/') ||
    /\bvi\.(mock|doMock)\(|\bmemoryUsage\(/.test(readFileSync(new URL(file, import.meta.url), 'utf8')),
)

/**
 * A project whose files run in the same few processes, one after another, so that each loads what others have loaded already: that is
 * half of what small tests cost, and a GPU stays open with its compiled kernels. Others have processes of their own, in a project NAME-alone.
 */
const sharing = (name: string, extra: Record<string, unknown> = {}) => {
  const alone = apart.filter((file) => file.startsWith(`test/${name}/`))
  const shared = project(name, { ...extra, isolate: false, exclude: alone })
  return alone.length === 0 ? [shared] : [shared, project(`${name}-alone`, { ...extra, include: alone })]
}

const drivesTheProgram = { globalSetup: ['test/support/fresh-build.mjs'] }

export default defineConfig({
  test: {
    // More than twice two processors, as tests wait for timers, processes and pages.
    maxWorkers: 5,
    globalSetup: ['test/support/scratch-of-run.mjs', 'test/support/gpu-environment.mjs'],
    projects: [
      ...sharing('unit'),
      // Pages keep state in their modules: each file has a process of its own.
      project('renderer', { environment: 'happy-dom' }),
      ...sharing('property'),
      ...sharing('integration', drivesTheProgram),
      ...sharing('gpu'),
      project('e2e', drivesTheProgram),
    ],
  },
})
