import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'electron-vite'

const at = (path: string): string => resolve(import.meta.dirname, path)

/** The commit of the source, which records name; empty outside a clone. */
function commitHere(): string {
  const git = (...words: string[]): string => {
    const { status, stdout } = spawnSync('git', words, { cwd: import.meta.dirname, encoding: 'utf8' })
    return status === 0 ? stdout.trim() : ''
  }
  const commit = git('rev-parse', '--short=12', 'HEAD')
  return commit === '' || git('status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit}+`
}

/** Modules that are loaded together, by what is at work: the first file of each, and all that they import. */
const loadedTogether = {
  start: ['electron/cli.ts'],
  scan: ['workers/engine/task-thread.ts', 'workers/algorithms/ecl-mis/processors.ts'],
  run: [
    'workers/engine/job-thread.ts',
    'workers/engine/near-job.ts',
    'workers/engine/prepare-device.ts',
    'workers/device/open-device.ts',
    'workers/algorithms/run.ts',
    'workers/jobs/verify-result.ts',
  ],
  ingest: ['workers/import/build/import-threads.ts'],
  import: ['workers/import/canonical/import-canonical.ts', 'workers/import/containers/import-file.ts'],
  command: [
    'electron/cli/main.ts',
    'electron/cli/workplace.ts',
    'electron/pool/near-jobs.ts',
    'electron/cli/commands/run.ts',
    'electron/cli/commands/results.ts',
  ],
}
const entryFiles = {
  main: at('electron/main.ts'),
  cli: at('electron/cli.ts'),
  engine: at('workers/engine/engine.ts'),
  'job-thread': at('workers/engine/job-thread.ts'),
  'near-job': at('workers/engine/near-job.ts'),
  'task-thread': at('workers/engine/task-thread.ts'),
}
const entries = Object.values(entryFiles)

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/**
 * Puts what is loaded together into one chunk, as each file takes its time to be found; and what several share into a chunk
 * of these, so that nothing loads what it does not need.
 */
function chunkOf() {
  let reached: Readonly<Record<string, ReadonlySet<string>>> | undefined
  return (id: string, modules: Modules): string | null => {
    reached ??= Object.fromEntries(
      Object.entries(loadedTogether).map(([name, files]) => [name, reachOf(files.map(at), modules)]),
    )
    // A thread that imports an entry would run it.
    if (entries.includes(id)) return null
    const by = Object.entries(reached)
      .filter(([, ids]) => ids.has(id))
      .map(([name]) => name)
    return by.length === 0 ? null : by.join('-')
  }
}

function reachOf(ids: readonly string[], modules: Modules): ReadonlySet<string> {
  const reached = new Set<string>()
  const left = [...ids]
  for (let id; (id = left.pop()) !== undefined;) {
    if (reached.has(id)) continue
    reached.add(id)
    left.push(...(modules.getModuleInfo(id)?.importedIds ?? []))
  }
  return reached
}

/** Modules of Node that load many others, 5 to 15 ms in every thread. */
const lateBuiltins =
  /^let (\w+) = require\("(node:(?:child_process|crypto|zlib))"\);\n(?:\1 = \w+\.__toESM\(\1(?:, 1)?\);\n)?/gm

/**
 * Builds CommonJS: an import statement would read every export of a module of Node, of which some load others, and the launcher keeps
 * the code that V8 made of each script. The package is one of ES modules otherwise, so a file beside the scripts says what they are.
 */
function commonScripts() {
  const late = (name: string, module: string): string =>
    `const ${name} = new Proxy({}, { get: (_, key, all) => key === "default" ? all : process.getBuiltinModule("${module}")[key] });\n`
  return {
    name: 'common-scripts',
    renderChunk: (code: string): string =>
      code.replace(lateBuiltins, (_, name: string, module: string) => late(name, module)),
    generateBundle(this: { emitFile(file: object): string }): void {
      this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' })
    },
  }
}

/** What the bundler put in, with its licence: the notices of packages are made from it. */
const license = { fileName: 'bundled.json' }

/**
 * Main side: Electron's main process, the command line, and the entries of the engine process.
 * They are separate entries (not inlined workers) so that plain Node, Electron and the tests start the same files.
 */
export default defineConfig({
  main: {
    plugins: [commonScripts()],
    define: { ANTICLIQUE_COMMIT: JSON.stringify(commitHere()) },
    build: {
      // Most of what they hold is not used, and each of their files takes its time to be found.
      license,
      externalizeDeps: { exclude: ['commander', 'zod'] },
      rolldownOptions: {
        input: entryFiles,
        output: {
          format: 'cjs',
          // A package that is imported here and required there would be two: their classes do not know one another.
          dynamicImportInCjs: false,
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [{ name: chunkOf(), debugName: 'loaded together' }],
          },
        },
      },
    },
  },
  preload: {
    build: {
      rolldownOptions: {
        input: { preload: at('electron/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('renderer'),
    plugins: [vue()],
    build: {
      minify: true,
      license,
      rolldownOptions: { input: { index: at('renderer/index.html') } },
    },
  },
})
