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

/** What the bundler put in, with its licence: the notices of packages are made from it. */
const license = { fileName: 'bundled.json' }

/**
 * Main side: Electron's main process, the command line, and the entries of the engine process.
 * They are separate entries (not inlined workers) so that plain Node, Electron and the tests start the same files.
 */
export default defineConfig({
  main: {
    define: { ANTICLIQUE_COMMIT: JSON.stringify(commitHere()) },
    build: {
      // Most of what they hold is not used, and each of their files takes its time to be found.
      license,
      externalizeDeps: { exclude: ['commander', 'zod'] },
      rolldownOptions: {
        input: {
          main: at('electron/main.ts'),
          cli: at('electron/cli.ts'),
          engine: at('workers/engine/engine.ts'),
          'job-thread': at('workers/engine/job-thread.ts'),
          'task-thread': at('workers/engine/task-thread.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
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
